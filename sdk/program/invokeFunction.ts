/** Calls the functions of the native plugin, or the mocks of a unit test in its place. */
import * as pulumi from "@pulumi/pulumi";
import { nativeToken } from "../../provider/hosts/hosts";
import { runError } from "./runError";

/** Calls a function by its name, such as `getProject`. */
export async function invokeFunction<Result>(
  name: string,
  args: object,
  options: pulumi.InvokeOptions,
): Promise<Result> {
  try {
    return await pulumi.runtime.invoke(nativeToken(name), { ...args }, options);
  } catch (error) {
    throw error instanceof Error ? runError(error.message) : error;
  }
}
