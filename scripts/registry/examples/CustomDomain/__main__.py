import pulumi
import pulumi_dynamiclink as dynamiclink

shop = dynamiclink.Project("shop",
    name="Shop",
    default_hookup_msg="Open it in the app")
links = dynamiclink.CustomDomain("links",
    project_id=shop.id,
    hostname="links.shop.example")
pulumi.export("cnameTarget", links.cname_target)
