/** The hidden properties that users' states contain: see docs/internals/dynamic-host.md#hidden-properties. None may change. */

/** On the dynamic host: the code from which Pulumi's host loads the provider. `diff` notices if it is missing. */
export const PROVIDER_PROPERTY = "__provider";

/** Hidden input with facts that only the program knows about the resource. `check` removes it. */
export const DECLARATION_PROPERTY = "__declaration";

/** On the dynamic host: an input of a resource that a refresh found not ready. Checked inputs lack it, so the next update resumes it. */
export const PENDING_PROPERTY = "__pending";

/** The UUID of the owning organization. A native provider has it too. */
export const ORGANIZATION_PROPERTY = "__organization";

/** On the dynamic host: the UUID of the option `import`, also in inputs. */
export const IMPORT_PROPERTY = "__import";

/** The UUID of the object, if the resource adopted it. It remains after the option is removed. */
export const ADOPTED_PROPERTY = "__adopted";

/**
 * Of objects whose last change the service dates: `at` is when that was, as far as the state shows. Without it, that is the creation.
 * `outside` has the paths that were changed outside Pulumi, and that the last update left unchanged.
 */
export const CHANGED_PROPERTY = "__changed";

/** When a young object was created, by the service's clock, if its own properties do not say that. */
export const CREATED_PROPERTY = "__created";

/** True in the native inputs of a resource that Pulumi has imported, until a program runs: they are all values of the object. */
export const IMPORTED_PROPERTY = "__imported";

/** True in the native state of a resource whose import was refused, because the program and the object differ. */
export const REFUSED_PROPERTY = "__refused";
