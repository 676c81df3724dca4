/** Imports the package and declares nothing. */
import * as pulumi from "@pulumi/pulumi";
import "pulumi-dynamiclink";

export const stack = pulumi.getStack();
