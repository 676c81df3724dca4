import { UserError } from "./errors";

/**
 * The error for a package in an unsupported version, which an override of the package manager has set. It is created where
 * the package lacks what is needed. Pulumi prints the message of an error with this mark without a stack.
 */
export function unsupportedPackage(name: "undici" | "zod"): UserError {
  const { dependencies } = require("pulumi-dynamiclink/package.json") as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const { version } = require(`${name}/package.json`) as { readonly version: string };
  const message = `pulumi-dynamiclink needs ${name} ${dependencies[name]}, but ${name} ${version} is installed. Remove ${name} from the overrides or resolutions in package.json, and install again.`;
  return Object.assign(new UserError(message), { __pulumiRunError: true, stack: message });
}
