import pulumi
import pulumi_dynamiclink as dynamiclink

shop = dynamiclink.Project("shop",
    name="Shop",
    default_hookup_msg="Open it in the app")
shop_ios = dynamiclink.Application("shop-ios",
    project_id=shop.id,
    app_type=dynamiclink.AppType.IOS,
    apple_info={
        "app_name": "Shop",
        "app_scheme": "shop",
        "bundle_id": "example.shop.ios",
        "app_store_id": "1234567890",
    })
shop_web = dynamiclink.Application("shop-web",
    project_id=shop.id,
    app_type=dynamiclink.AppType.WEB)
shop_android = dynamiclink.Application("shop-android",
    project_id=shop.id,
    app_type=dynamiclink.AppType.ANDROID,
    android_info={
        "app_name": "Shop",
        "app_scheme": "shop",
        "app_package_name": "example.shop.android",
    })
