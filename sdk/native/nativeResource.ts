/** The base of the resource classes of the native plugin. */
import type * as pulumi from "@pulumi/pulumi";
import type { ProgramFacts } from "../../provider/hosts/dynamicNames";
import { NATIVE_HOST } from "../../provider/hosts/hosts";
import { DECLARATION_PROPERTY } from "../../provider/lifecycle/hiddenProperties";
import { reportPlainKey } from "../program/stackConfiguration";
import { isMocked } from "../pulumi/mocks";
import { type CommonOptions, resourceClasses } from "../resourceClass";
import { RELEASED_PLUGIN } from "./releasedPlugin";
import { requirePlugin } from "./requirePlugin";

/** Options of a resource. */
export interface ResourceOptions extends CommonOptions {
  /**
   * UUID of an existing object to import instead of creating a new one. Pulumi imports the object, and nothing is
   * written to the service: if a declared property differs from the object, the preview fails and lists the differences.
   * Properties that you do not declare are left unchanged.
   *
   * The option implies `protect: true` and `retainOnDelete: true` unless you set them. If you remove the option, you
   * remove both protections, unless you set them: the object can then be deleted and replaced like any other. The
   * preview shows `~protect`.
   */
  import?: string | undefined;
  /** Time limits of create, update and delete, such as `{ create: "5m" }`. A write that was sent ends and is saved. */
  customTimeouts?: pulumi.CustomTimeouts | undefined;
}

export const resourceClass = resourceClasses<ResourceOptions>({
  host: NATIVE_HOST,
  requireHost(options) {
    requirePlugin(options);
    reportPlainKey();
  },
  options: (_name, { import: imported, customTimeouts, ...options }) => ({
    ...RELEASED_PLUGIN,
    ...options,
    ...(customTimeouts !== undefined && { customTimeouts }),
    // In lower case, as in the state: see docs/internals/native-host.md#import-option.
    ...(imported !== undefined && { import: imported.toLowerCase() }),
  }),
  hiddenProperties: (
    _type,
    { options: { retainOnDelete = false, deleteBeforeReplace = false, ...options } },
  ) =>
    (retainOnDelete || deleteBeforeReplace) && !("id" in options || isMocked())
      ? { [DECLARATION_PROPERTY]: { retainOnDelete, deleteBeforeReplace } satisfies Partial<ProgramFacts> }
      : {},
});
