/** Validates declared inputs against their schemas, and which scopes they need. */
import type { z } from "zod";
import type { Scope } from "../../client";
import { UserError } from "../../errors";
import type { Session } from "../../session/session";
import { canonicalValues } from "../../values/canonical";
import { checkValue } from "../../values/check";
import { choicesOf, type Fields, schemaAt, unwrapped } from "../../values/schema";
import { stepsOf } from "../../values/walk";
import type { ResourceDescription } from "../description";
import { declaredValues, type Properties, withoutNulls } from "../properties";
import type { ResourceRun } from "../run/runContext";

type Validation = Pick<ResourceRun, "description" | "isUnknown">;

/** The inputs in canonical form, and all violations. */
export function validated(
  run: Validation,
  inputs: Properties,
  isCreated: boolean,
): { readonly inputs: Properties; readonly failures: readonly string[] } {
  const { description } = run;
  return {
    inputs: canonicalValues(description.inputs, withEnforcedNulls(description, inputs)),
    failures: failuresOf(run, withoutNulls(inputs), isCreated),
  };
}

function failuresOf(
  { description, isUnknown }: Validation,
  declared: Properties,
  isCreated: boolean,
): string[] {
  const schema = schemaOf(description, declared, isCreated);
  return checkValue(schema, declared, { isUnknown }).map(({ path, reason }) => {
    if (path in description.inputs.shape && !(path in schema.shape))
      return `${path} is not allowed with ${selectorOf(schema)}`;
    return `${path} ${reason}`;
  });
}

/** Validates checked inputs again before anything is sent: a policy with remediations may have changed them. */
export function requireValid(run: ResourceRun, inputs: Properties, isCreated: boolean): void {
  const failures = failuresOf(run, withoutNulls(inputs), isCreated);
  if (failures.length === 0) return;
  throw new UserError(
    [
      `The ${run.description.title} is not valid, so nothing was sent:`,
      ...failures.map((reason) => `  ${reason}`),
      "The check before has accepted other values. A policy with remediations may have changed them: correct it, or the program.",
    ].join("\n"),
  );
}

/** The declared values, with null only where the service can have no value and does not add one itself. */
function withEnforcedNulls(description: ResourceDescription, inputs: Properties): Properties {
  const schema = schemaOf(description, inputs, false);
  return declaredValues(inputs, (path) => {
    const field = schemaAt(schema, stepsOf(path));
    return field !== undefined && unwrapped(field).nullable && !description.computed?.includes(path);
  });
}

export function schemaOf(
  { schemaFor, inputs }: Pick<ResourceDescription, "schemaFor" | "inputs">,
  declared: Properties,
  isCreated: boolean,
): z.ZodObject {
  return schemaFor?.(declared, isCreated) ?? inputs;
}

/** The scopes that a program needs to declare a resource: in read-only mode, those to read it. */
export function scopesFor(
  { scopes }: ResourceDescription,
  { readOnly }: Pick<Session, "readOnly">,
  inputs: Properties,
): readonly Scope[] {
  if (readOnly) return scopes.read;
  return [...scopes.read, ...(typeof scopes.write === "function" ? scopes.write(inputs) : scopes.write)];
}

/** The values that selected a schema, such as `appType "WEB"`. */
function selectorOf({ shape }: z.ZodObject): string {
  return Object.entries(shape as Fields)
    .map(([name, field]) => [name, choicesOf(field) ?? []] as const)
    .filter(([, choices]) => choices.length === 1)
    .map(([name, [value]]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");
}
