import * as pulumi from "@pulumi/pulumi";

/** The value of an output; undefined if it is not known yet, or if what it depends on has failed. */
export async function knownValue<Value>(output: pulumi.Output<Value>): Promise<Value | undefined> {
  let value: Value | undefined;
  const seen = output.apply((known) => {
    value = known;
  });
  try {
    // Unlike the value of an output, this can be awaited if the value is not known.
    await pulumi.isSecret(seen);
  } catch {
    // The SDK reports the error where it happened.
  }
  return value;
}
