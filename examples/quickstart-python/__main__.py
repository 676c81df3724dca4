"""A shop: a project, its applications on three platforms, and a custom domain for its links."""

import pulumi
import pulumi_dynamiclink as dynamiclink

config = pulumi.Config()

shop = dynamiclink.Project(
    "shop",
    name=config.get("projectName") or "Shop",
    default_hookup_msg="Open it in the app",
)

dynamiclink.Application(
    "shop-ios",
    project_id=shop.id,
    app_type="IOS",
    apple_info={
        "app_name": "Shop",
        "app_scheme": "shop",
        "bundle_id": "example.shop.app",
        "app_id_prefix": "A1B2C3D4E5",
    },
)

dynamiclink.Application(
    "shop-android",
    project_id=shop.id,
    app_type="ANDROID",
    android_info={
        "app_name": "Shop",
        "app_scheme": "shop",
        "app_package_name": "example.shop.app",
    },
)

dynamiclink.Application("shop-web", project_id=shop.id, app_type="WEB")

links = dynamiclink.CustomDomain("shop-links", project_id=shop.id, hostname="links.shop.example")

pulumi.export("projectId", shop.id)
pulumi.export("subDomain", dynamiclink.get_project_output(id=shop.id).sub_domain)
# The target of the CNAME record of links.shop.example.
pulumi.export("cnameTarget", links.cname_target)
