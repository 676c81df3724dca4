/** Only loads Pulumi: what every program costs. */
import * as pulumi from "@pulumi/pulumi";

export const stack = pulumi.getStack();
