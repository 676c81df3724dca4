/** Resolves the parents and providers of the objects to import, and rejects what the stack has already. */
import { UserError } from "../../provider/errors";
import { withArticle } from "../../provider/values/phrases";
import type { Host } from "../objects/hosts";
import { identityKey } from "../objects/identity";
import { KINDS } from "../objects/kinds";
import { inheritedProvider } from "../pulumi/inheritedProvider";
import { type References, referencesIn } from "../pulumi/resourceReferences";
import { isAtRoot, type StackObject, type StackResource } from "../pulumi/stack";
import { isProviderType, nameInUrn, typeOf } from "../pulumi/urn";
import type { ImportSelection } from "./selection";
import { type ImportRequest, inPlace } from "./sources/request";

/** An object to import whose host and references are known. */
export interface ResolvedRequest extends ImportRequest {
  readonly host: Host;
}

export interface ResolutionOptions {
  /** The stack's resources; undefined without a stack. */
  readonly resources: readonly StackResource[] | undefined;
  /** What the stack manages, by key. */
  readonly managed: ReadonlyMap<string, readonly StackObject[]>;
  /** The host of the objects whose type the selection does not have. */
  readonly host: Host;
}

/** The objects of an import whose references are known, and what is wrong with the others. */
export function resolveReferences(
  selection: ImportSelection,
  { resources, managed, host: chosenHost }: ResolutionOptions,
) {
  const entries = [...selection.requests, ...selection.support].map(({ name }) => name);
  const parents = new Set(selection.requests.map(({ parent }) => parent));
  const references = referencesIn({
    resources,
    entries,
    // For the code that Pulumi generates, entries get other names: a provider keeps the name that the program has.
    reserved: chosenHost.isReadByPulumi ? entries.filter((name) => parents.has(name)) : entries,
    providers: selection.support.filter(({ type }) => isProviderType(type)).map(({ name }) => name),
    nameTable: selection.nameTable,
  });
  const byName = Map.groupBy(resources ?? [], ({ urn }) => nameInUrn(urn));
  const problems: string[] = [];

  /** The result of a function, or undefined if it fails. Then its error is a problem of the object. */
  function attempt<Value>({ place }: ImportRequest, action: () => Value): Value | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push(inPlace(place, error.message));
      return undefined;
    }
  }

  const named = selection.requests.flatMap((request): ResolvedRequest[] => {
    const { host = chosenHost, place } = request;
    const nameFor = (role: "parent" | "provider", given: string | undefined) =>
      given === undefined ? undefined : references.nameFor(role, given, host);
    const names = attempt(request, () => ({
      parent: nameFor("parent", request.parent),
      provider: nameFor("provider", request.provider),
    }));
    if (names === undefined) return [];
    const resolved = { ...request, ...names, host };
    const reasons = [
      ...(names.parent === request.name
        ? [`${request.name} cannot be its own parent. Give the URN of the parent.`]
        : []),
      ...wrongProvider(resolved, { selection, references }),
      ...inStackAlready(resolved, {
        managed: managed.get(identityKey(resolved)) ?? [],
        byName,
        references,
      }),
    ];
    problems.push(...reasons.map((reason) => inPlace(place, reason)));
    return reasons.length === 0 ? [resolved] : [];
  });

  /** The provider of an object: its own, else the one of the nearest parent that has one. */
  function providerFor(
    request: ResolvedRequest,
    children: readonly ResolvedRequest[] = [],
  ): string | undefined {
    const { parent, provider, host } = request;
    if (provider !== undefined || parent === undefined || children.includes(request)) return provider;
    const entry = named.find(({ name }) => name === parent);
    if (entry !== undefined) return providerFor(entry, [...children, request]);
    const urn = inheritedProvider(resources ?? [], references.nameTable[parent] ?? "", host);
    return urn === undefined ? undefined : references.nameFor("provider", urn, host);
  }
  const requests = selection.inheritsProviders
    ? named.flatMap(
        (request) => attempt(request, () => [{ ...request, provider: providerFor(request) }]) ?? [],
      )
    : named;
  return { requests, references, problems };
}

/** Reports a provider of another package: Pulumi would start the wrong one. */
function wrongProvider(
  { kind, host, name, provider }: ResolvedRequest,
  { selection, references }: { readonly selection: ImportSelection; readonly references: References },
): string[] {
  if (provider === undefined) return [];
  const type =
    selection.support.find((entry) => entry.name === provider)?.type ??
    typeOf(references.nameTable[provider] ?? "");
  if (type === host.providerType) return [];
  const { description } = KINDS[kind];
  const fact = type === "" ? "is not a provider" : `has the type ${type}`;
  return [
    `${description.title} ${name} cannot use ${provider}, which ${fact}. Resources of type ${host.typeToken(description)} need a provider of type ${host.providerType}.`,
  ];
}

/** Reports an object that the stack has already, or a name that another resource has. */
function inStackAlready(
  { kind, host, uuid, name, logicalName = name, parent }: ResolvedRequest,
  {
    managed,
    byName,
    references: { nameTable },
  }: {
    readonly managed: readonly StackObject[];
    readonly byName: ReadonlyMap<string, readonly StackResource[]>;
    readonly references: References;
  },
): string[] {
  const { description } = KINDS[kind];
  const { title } = description;
  if (managed.length > 0)
    return managed.map(({ urn }) => `${title} ${uuid} is already in the stack: ${urn}.`);
  const parentUrn = parent === undefined ? undefined : (nameTable[parent] ?? "");
  return (byName.get(logicalName) ?? [])
    .filter(
      (one) =>
        one.type === host.typeToken(description) && (isAtRoot(one) ? undefined : one.parent) === parentUrn,
    )
    .map(
      ({ urn }) =>
        `The stack already has ${withArticle(title)} with the name ${logicalName}: ${urn}. Choose another name.`,
    );
}
