package main

import (
	"example.com/pulumi-dynamiclink/sdk/go/dynamiclink"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := dynamiclink.GetProjectsOutput(ctx)
		ctx.Export("projects", found.Projects())
		return nil
	})
}
