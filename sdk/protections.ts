/** The protections of an adopted object. */
import type { CustomResourceOptions } from "@pulumi/pulumi";

type Protections = Pick<CustomResourceOptions, "protect" | "retainOnDelete">;

/** Adds the protections, unless the program sets them. */
export function withProtections<Options extends Protections>(options: Options): Options {
  return { ...options, protect: options.protect ?? true, retainOnDelete: options.retainOnDelete ?? true };
}
