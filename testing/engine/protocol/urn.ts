/** Creates and parses the names of resources: URNs, types and provider references. */
import type { Alias as AliasMessage } from "@pulumi/pulumi/proto/alias_pb";

/** The type of the stack itself, the root of all resources. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

/** The package of dynamic providers. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";

const PROVIDER_PREFIX = "pulumi:providers:";

/** What identifies a stack in its URNs. */
export interface StackIdentity {
  readonly stack: string;
  readonly project: string;
}

/**
 * Parses a URN. The qualified type has the types of the parents and of the resource, joined by `$`. A name may contain
 * `::`.
 */
export function parseUrn(urn: string) {
  const [head = "", project = "", qualifiedType = "", ...name] = urn.split("::");
  if (!head.startsWith("urn:pulumi:") || name.length === 0) throw new Error(`"${urn}" is not a URN.`);
  const type = qualifiedType.split("$").at(-1) as string;
  return { stack: head.slice("urn:pulumi:".length), project, qualifiedType, type, name: name.join("::") };
}

/** Creates a URN. The type of the stack is not part of the qualified type. */
export function createUrn({ stack, project }: StackIdentity, type: string, name: string, parent?: string) {
  const parentType = parent ? parseUrn(parent).qualifiedType : "";
  const prefix = parentType === "" || parentType === STACK_TYPE ? "" : `${parentType}$`;
  return `urn:pulumi:${stack}::${project}::${prefix}${type}::${name}`;
}

export function nameInUrn(urn: string): string {
  return parseUrn(urn).name;
}

/** The package of a type: `aws` of `aws:s3/bucket:Bucket`. */
export function packageOf(type: string): string {
  return type.split(":")[0] as string;
}

export function isProviderType(type: string): boolean {
  return type.startsWith(PROVIDER_PREFIX);
}

export function providerType(packageName: string): string {
  return `${PROVIDER_PREFIX}${packageName}`;
}

/** The package that a provider of this type serves. */
export function providedPackage(type: string): string {
  return type.slice(PROVIDER_PREFIX.length);
}

export function providerReference(urn: string, id = ""): string {
  return `${urn}::${id}`;
}

export function parseReference(reference: string): { urn: string; id: string } {
  const end = reference.lastIndexOf("::");
  return { urn: reference.slice(0, end), id: reference.slice(end + 2) };
}

/** A former name of a resource: its URN, or its parts. An empty field has the value of the resource itself. */
export interface Alias extends Partial<AliasMessage.Spec.AsObject> {
  readonly urn?: string;
}

/**
 * The URNs of a resource's aliases, and those that it inherits if its parent has been found under an alias.
 *
 * @param aliasOf returns the former URN under which a resource of this run was found, if any.
 */
export function aliasUrns(
  identity: StackIdentity,
  resource: { type: string; name: string; parent: string; aliases: readonly Alias[] },
  aliasOf: (urn: string) => string | undefined,
): string[] {
  const { type, name, parent } = resource;
  const own = resource.aliases.map((alias) => {
    if (alias.urn) return alias.urn;
    const { parenturn } = alias;
    const namedParent = parenturn ? (aliasOf(parenturn) ?? parenturn) : parent;
    return createUrn(
      { stack: alias.stack || identity.stack, project: alias.project || identity.project },
      alias.type || type,
      alias.name || name,
      alias.noparent ? "" : namedParent,
    );
  });
  const parentAlias = parent === "" ? undefined : aliasOf(parent);
  if (parentAlias === undefined) return [...new Set(own)];
  const parentName = nameInUrn(parent);
  const underParent = (childType: string, childName: string): string =>
    createUrn(
      identity,
      childType,
      // The name of a child that starts with its parent's name started with the parent's former name.
      childName.startsWith(parentName)
        ? nameInUrn(parentAlias) + childName.slice(parentName.length)
        : childName,
      parentAlias,
    );
  const inherited = own.map((urn) => underParent(parseUrn(urn).type, nameInUrn(urn)));
  return [...new Set([...own, underParent(type, name), ...inherited])];
}
