// A shop: a project, its applications on three platforms, and a custom domain for its links.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	// `pulumi package add` generates this package and prints its path.
	"example.com/pulumi-dynamiclink/sdk/go/dynamiclink"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		projectName := config.Get(ctx, "projectName")
		if projectName == "" {
			projectName = "Shop"
		}

		shop, err := dynamiclink.NewProject(ctx, "shop", &dynamiclink.ProjectArgs{
			Name:             pulumi.String(projectName),
			DefaultHookupMsg: pulumi.String("Open it in the app"),
		})
		if err != nil {
			return err
		}

		_, err = dynamiclink.NewApplication(ctx, "shop-ios", &dynamiclink.ApplicationArgs{
			ProjectId: shop.ID(),
			AppType:   dynamiclink.AppTypeIOS,
			AppleInfo: dynamiclink.AppleInfoCreateArgs{
				AppName:     pulumi.String("Shop"),
				AppScheme:   pulumi.String("shop"),
				BundleId:    pulumi.String("example.shop.app"),
				AppIdPrefix: pulumi.String("A1B2C3D4E5"),
			},
		})
		if err != nil {
			return err
		}

		_, err = dynamiclink.NewApplication(ctx, "shop-android", &dynamiclink.ApplicationArgs{
			ProjectId: shop.ID(),
			AppType:   dynamiclink.AppTypeANDROID,
			AndroidInfo: dynamiclink.AndroidInfoCreateArgs{
				AppName:        pulumi.String("Shop"),
				AppScheme:      pulumi.String("shop"),
				AppPackageName: pulumi.String("example.shop.app"),
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

		links, err := dynamiclink.NewCustomDomain(ctx, "shop-links", &dynamiclink.CustomDomainArgs{
			ProjectId: shop.ID(),
			Hostname:  pulumi.String("links.shop.example"),
		})
		if err != nil {
			return err
		}

		found := dynamiclink.LookupProjectOutput(ctx, dynamiclink.LookupProjectOutputArgs{Id: shop.ID()})

		ctx.Export("projectId", shop.ID())
		ctx.Export("subDomain", found.SubDomain())
		// The target of the CNAME record of links.shop.example.
		ctx.Export("cnameTarget", links.CnameTarget)
		return nil
	})
}
