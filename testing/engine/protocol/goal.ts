/** What a program asks for: a resource to register, or one to read. The goals are read from the protocol's messages. */
import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { fromMap, fromStruct } from "./grpc";
import { type RequestedPlugin, requestedPlugin, withPlugin } from "./plugin";
import { type Alias, DYNAMIC_PACKAGE, isProviderType, packageOf } from "./urn";
import { fromProgram, type Properties } from "./values";

/** A custom resource without any properties or options: the defaults of a goal. */
export const EMPTY_GOAL = {
  type: "",
  name: "",
  custom: true as boolean,
  /** The URN of the parent. Only the stack has none: an empty text. */
  parent: "",
  properties: {} as Properties,
  dependencies: [] as readonly string[],
  propertyDependencies: {} as Record<string, readonly string[]>,
  /** The reference of its provider. Empty to inherit a provider or to use the default one. */
  provider: "",
  plugin: { version: "", downloadUrl: "" } as RequestedPlugin,
  /** The references of the providers that its children inherit, by package. */
  providers: {} as Record<string, string>,
  aliases: [] as readonly Alias[],
  deletedWith: "",
  ignoreChanges: [] as readonly string[],
  replaceOnChanges: [] as readonly string[],
  additionalSecretOutputs: [] as readonly string[],
  customTimeouts: {} as Record<string, number>,
  /** The id of an object to import, or of one that the program only reads (`.get`). Empty for none. */
  importId: "",
};

/** The declared form of a resource. */
export interface Goal extends Readonly<typeof EMPTY_GOAL> {
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
}

/** Throws for options that the engine does not support and must not ignore. */
function refuseUnsupported(request: RegisterResourceRequest): void {
  const unsupported: Record<string, boolean> = {
    "a remote component": request.getRemote(),
    "the option import": request.getImportid() !== "" && packageOf(request.getType()) === DYNAMIC_PACKAGE,
    "the option transforms": request.getTransformsList().length > 0,
    "the option replaceWith": (request.getReplaceWithList?.() ?? []).length > 0,
    "the option replacementTrigger": request.hasReplacementTrigger?.() ?? false,
    "the option envVarMappings": (request.getEnvvarmappingsMap?.().getLength() ?? 0) > 0,
    "a parameterized package": request.getPackageref() !== "",
  };
  const found = Object.keys(unsupported).find((option) => unsupported[option]);
  if (found)
    throw new Error(
      `${request.getType()} "${request.getName()}" uses ${found}, which the test engine does not support.`,
    );
}

/** Reads the goal in a registration. Throws for an option that the engine does not support. */
export function readGoal(request: RegisterResourceRequest): Goal {
  refuseUnsupported(request);
  const { pb_delete: deletion = "", ...timeouts } = request.getCustomtimeouts()?.toObject() ?? {};
  const properties = fromProgram(fromStruct(request.getObject()));
  const plugin = requestedPlugin(request);
  return {
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    parent: request.getParent(),
    properties: isProviderType(request.getType()) ? withPlugin(properties, plugin) : properties,
    dependencies: request.getDependenciesList(),
    propertyDependencies: Object.fromEntries(
      fromMap<string[][]>(request.getPropertydependenciesMap()).map(([name, [urns]]) => [name, urns ?? []]),
    ),
    provider: request.getProvider(),
    plugin,
    providers: Object.fromEntries(fromMap<string>(request.getProvidersMap())),
    aliases: [
      ...request.getAliasurnsList().map((urn) => ({ urn })),
      ...request.getAliasesList().map((alias) => alias.getSpec()?.toObject() ?? { urn: alias.getUrn() }),
    ],
    ...(request.hasProtect() && { protect: request.getProtect() ?? false }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() ?? false }),
    ...(request.getDeletebeforereplacedefined() && { deleteBeforeReplace: request.getDeletebeforereplace() }),
    deletedWith: request.getDeletedwith(),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    importId: request.getImportid(),
    customTimeouts: Object.fromEntries(
      Object.entries({ ...timeouts, ...(deletion && { delete: deletion }) }).flatMap(([name, duration]) =>
        duration ? [[name, seconds(duration)]] : [],
      ),
    ),
  };
}

export function readReadGoal(request: ReadResourceRequest): Goal {
  return {
    ...EMPTY_GOAL,
    importId: request.getId(),
    type: request.getType(),
    name: request.getName(),
    parent: request.getParent(),
    properties: fromProgram(fromStruct(request.getProperties())),
    dependencies: request.getDependenciesList(),
    provider: request.getProvider(),
    plugin: requestedPlugin(request),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
  };
}

const SECONDS_PER_UNIT: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** The seconds of a duration such as `1h30m`. */
function seconds(duration: string): number {
  return [...duration.matchAll(/([\d.]+)(ms|h|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (SECONDS_PER_UNIT[unit as string] as number),
    0,
  );
}
