package main

import (
	"example.com/pulumi-dynamiclink/sdk/go/dynamiclink"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := dynamiclink.NewProject(ctx, "shop", &dynamiclink.ProjectArgs{
			Name:             pulumi.String("Shop"),
			DefaultHookupMsg: pulumi.String("Open it in the app"),
		})
		if err != nil {
			return err
		}
		_, err = dynamiclink.NewApplication(ctx, "shop-ios", &dynamiclink.ApplicationArgs{
			ProjectId: shop.ID(),
			AppType:   dynamiclink.AppTypeIOS,
			AppleInfo: &dynamiclink.AppleInfoCreateArgs{
				AppName:    pulumi.String("Shop"),
				AppScheme:  pulumi.String("shop"),
				BundleId:   pulumi.String("example.shop.ios"),
				AppStoreId: pulumi.String("1234567890"),
			},
		})
		if err != nil {
			return err
		}
		_, err = dynamiclink.NewApplication(ctx, "shop-web", &dynamiclink.ApplicationArgs{
			ProjectId: shop.ID(),
			AppType:   dynamiclink.AppTypeWEB,
		})
		if err != nil {
			return err
		}
		_, err = dynamiclink.NewApplication(ctx, "shop-android", &dynamiclink.ApplicationArgs{
			ProjectId: shop.ID(),
			AppType:   dynamiclink.AppTypeANDROID,
			AndroidInfo: &dynamiclink.AndroidInfoCreateArgs{
				AppName:        pulumi.String("Shop"),
				AppScheme:      pulumi.String("shop"),
				AppPackageName: pulumi.String("example.shop.android"),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
