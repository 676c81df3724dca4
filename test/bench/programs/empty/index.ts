/** Only loads Pulumi, to measure the base cost of every program. */
import * as pulumi from "@pulumi/pulumi";

export const stack = pulumi.getStack();
