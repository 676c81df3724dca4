/** Pulumi's file format of a stack's state: see docs/internals/engine.md#state-file. */
import { parseUrn, providerReference, type StackIdentity } from "../protocol/urn";
import { isSecret, mapParts, type Properties, secret, secretMark, type Value } from "../protocol/values";
import type { PendingOperation, ResourceState, Snapshot } from "./snapshot";

/** The state of a stack as `pulumi stack export` writes it and `pulumi stack import` reads it. */
export interface Deployment {
  /** The version of the format. Only 3 is supported. */
  readonly version: number;
  readonly deployment: {
    readonly manifest?: unknown;
    readonly resources?: readonly ResourceState[];
    readonly pending_operations?: readonly PendingOperation[];
    [other: string]: unknown;
  };
}

function isEmpty(value: unknown): boolean {
  const isEmptyObject = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return value === undefined || value === false || value === "" || isEmptyObject;
}

/** A resource in the form of the state file, without empty fields. */
function exportResource(state: ResourceState, showSecrets: boolean): ResourceState {
  const { urn, custom, ...others } = state;
  const exported = (name: string, value: unknown) =>
    /^(in|out)puts$/.test(name) ? toDeployment(value as Properties, showSecrets) : structuredClone(value);
  const fields = Object.entries(others)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => [name, exported(name, value)]);
  return { urn, custom, ...(Object.fromEntries(fields) as Omit<ResourceState, "urn" | "custom">) };
}

function importResource(state: ResourceState): ResourceState {
  const copy = structuredClone(state);
  for (const name of ["inputs", "outputs"] as const) {
    const properties = copy[name];
    if (properties !== undefined) copy[name] = fromDeployment(properties);
  }
  return copy;
}

/** The state in Pulumi's format. */
export function exportSnapshot(snapshot: Snapshot, showSecrets: boolean): Deployment {
  const pending = snapshot.pendingOperations.map(({ resource, type }) => ({
    resource: exportResource(resource, showSecrets),
    type,
  }));
  return {
    version: 3,
    deployment: {
      manifest: { time: new Date().toISOString(), magic: "", version: "" },
      resources: snapshot.resources.map((state) => exportResource(state, showSecrets)),
      ...(pending.length > 0 && { pending_operations: pending }),
    },
  };
}

/** Reads a state in Pulumi's format. Throws an error that names the resource if the state is not valid for this stack. */
export function importSnapshot({ version, deployment }: Deployment, identity: StackIdentity): Snapshot {
  if (version !== 3)
    throw new Error(`The state has version ${version}; the test engine supports only version 3.`);
  const resources = (deployment.resources ?? []).map(importResource);
  const seen = new Set<string>();
  for (const { urn, type, custom, id, parent, provider } of resources) {
    const parts = parseUrn(urn);
    if (parts.stack !== identity.stack || parts.project !== identity.project)
      throw new Error(`${urn} does not belong to the stack ${identity.project}/${identity.stack}.`);
    if (parts.type !== type) throw new Error(`${urn} has the type ${type} in its state.`);
    if (custom && !id) throw new Error(`${urn} has no id.`);
    if (parent && !seen.has(parent)) throw new Error(`${urn} comes before its parent ${parent}.`);
    if (provider && !seen.has(provider)) throw new Error(`${urn} comes before its provider ${provider}.`);
    seen.add(urn).add(providerReference(urn, id));
  }
  return {
    resources,
    pendingOperations: (deployment.pending_operations ?? []).map(({ resource, type }) => ({
      resource: importResource(resource),
      type,
    })),
  };
}

/** The plain texts of secrets by their reference in an exported state. It replaces encryption. */
const secretsByCiphertext = new Map<string, string>();

/** A value in the form of a state file. Secrets that are not shown become references that only this process resolves. */
function toDeployment(value: Value, showSecrets: boolean): Value {
  if (!isSecret(value)) return mapParts(value, (part) => toDeployment(part, showSecrets));
  const plaintext = JSON.stringify(toDeployment(value.value, true));
  if (showSecrets) return secretMark({ plaintext });
  const known = [...secretsByCiphertext].find(([, text]) => text === plaintext)?.[0];
  const ciphertext = known ?? `test:${secretsByCiphertext.size + 1}`;
  secretsByCiphertext.set(ciphertext, plaintext);
  return secretMark({ ciphertext });
}

/** A value of a state or import file, in wire form. */
export function fromDeployment(value: Properties): Properties;
export function fromDeployment(value: Value): Value;
export function fromDeployment(value: Value): Value {
  if (!isSecret(value)) return mapParts(value, (part) => fromDeployment(part));
  const { plaintext, ciphertext } = value as Properties;
  const text = typeof plaintext === "string" ? plaintext : secretsByCiphertext.get(String(ciphertext));
  if (text === undefined)
    throw new Error("The state holds encrypted secrets. Export it with secrets shown (--show-secrets).");
  return secret(fromDeployment(JSON.parse(text) as Value));
}
