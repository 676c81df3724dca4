package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"example.com/pulumi-dynamiclink/sdk/go/dynamiclink"
)

func main() {
	pulumi.Run(program)
}

func program(ctx *pulumi.Context) error {
	shop, err := dynamiclink.NewProject(ctx, "shop", &dynamiclink.ProjectArgs{
		Name:             pulumi.String("Shop"),
		DefaultHookupMsg: pulumi.String("Open it in the app"),
	})
	if err != nil {
		return err
	}
	ctx.Export("subDomain", shop.SubDomain)
	return nil
}
