import pulumi
import pulumi_dynamiclink as dynamiclink

europe = dynamiclink.Provider("europe",
    api_key_env_var="DYNAMICLINK_API_KEY_EUROPE",
    api_url="https://api.dynamiclink.example")
shop = dynamiclink.Project("shop", name="Shop",
opts = pulumi.ResourceOptions(provider=europe))
