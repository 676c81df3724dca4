import pulumi
import pulumi_dynamiclink as dynamiclink

shop = dynamiclink.Project("shop",
    name="Shop",
    default_hookup_msg="Open it in the app")
links = dynamiclink.CustomDomain("links",
    project_id=shop.id,
    hostname="links.shop.example")
links_active = dynamiclink.CustomDomainActivation("links-active",
    custom_domain_id=links.id,
    timeout_seconds=60)
pulumi.export("hostname", links_active.hostname)
