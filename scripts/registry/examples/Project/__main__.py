import pulumi
import pulumi_dynamiclink as dynamiclink

shop = dynamiclink.Project("shop",
    name="Shop",
    default_hookup_msg="Open it in the app")
pulumi.export("subDomain", shop.sub_domain)
