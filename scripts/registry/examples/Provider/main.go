package main

import (
	"example.com/pulumi-dynamiclink/sdk/go/dynamiclink"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		europe, err := dynamiclink.NewProvider(ctx, "europe", &dynamiclink.ProviderArgs{
			ApiKeyEnvVar: pulumi.String("DYNAMICLINK_API_KEY_EUROPE"),
			ApiUrl:       pulumi.String("https://api.dynamiclink.example"),
		})
		if err != nil {
			return err
		}
		_, err = dynamiclink.NewProject(ctx, "shop", &dynamiclink.ProjectArgs{
			Name: pulumi.String("Shop"),
		}, pulumi.Provider(europe))
		if err != nil {
			return err
		}
		return nil
	})
}
