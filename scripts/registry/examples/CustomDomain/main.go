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
		links, err := dynamiclink.NewCustomDomain(ctx, "links", &dynamiclink.CustomDomainArgs{
			ProjectId: shop.ID(),
			Hostname:  pulumi.String("links.shop.example"),
		})
		if err != nil {
			return err
		}
		ctx.Export("cnameTarget", links.CnameTarget)
		return nil
	})
}
