package main

import (
	"example.com/pulumi-dynamiclink/sdk/go/dynamiclink"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := dynamiclink.GetLinkOutput(ctx, dynamiclink.GetLinkOutputArgs{
			Id: pulumi.String("5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e"),
		}, nil)
		ctx.Export("shortUrl", found.ShortUrl())
		return nil
	})
}
