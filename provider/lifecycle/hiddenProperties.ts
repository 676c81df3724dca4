/**
 * The hidden properties that users' states contain. None of them may change.
 *
 * | Property | Host | Where | Written by | Read by |
 * |---|---|---|---|---|
 * | `__provider` | dynamic | inputs, state | the class | Pulumi's host, which loads the provider; `diff`, if it is missing |
 * | `__declaration` | dynamic | inputs | the class | `check`, which removes it |
 * | `__pending` | dynamic | inputs | `read` | the engine, which sees a change; `check` removes it |
 * | `__organization` | both | state | `create`, `update`, `read` | every operation on the object; the native provider has it too |
 * | `__import` | dynamic | inputs, state | the class, `create`, `update` | `check`, `diff`, `read` |
 * | `__adopted` | both | state | an adopting `create`; natively the `read` of an import | `diff`, `delete` |
 * | `__changed` | both | state | `create`, `update`, `read` | `read`, and `update` of applications |
 * | `__created` | both | state | `create`, while the object is young | each operation on the object |
 * | `__imported` | native | inputs | the `read` of an import | `diff` and `update`; the dynamic host refuses it |
 * | `__refused` | native | state | an `update` that refuses an import | `update`, `delete` |
 */

/** The code from which Pulumi's dynamic-provider host loads the provider. */
export const PROVIDER_PROPERTY = "__provider";

/** Hidden input: facts that only the program knows about the resource. */
export const DECLARATION_PROPERTY = "__declaration";

/**
 * Added to the inputs of a resource that a refresh found not ready, which Pulumi forgets. The checked inputs lack it, so
 * the next update resumes the resource.
 */
export const PENDING_PROPERTY = "__pending";

/** The UUID of the owning organization. */
export const ORGANIZATION_PROPERTY = "__organization";

/** The UUID of the option `import`. */
export const IMPORT_PROPERTY = "__import";

/** The UUID of the object, if the resource adopted it. It remains after the option is removed. */
export const ADOPTED_PROPERTY = "__adopted";

/**
 * Of kinds whose updates start from a read: `at` is when the service last changed the object, as far as the state shows. Without
 * it, that is the creation.
 * `outside` has the paths that were changed outside Pulumi, and that the last update left unchanged.
 */
export const CHANGED_PROPERTY = "__changed";

/** When a young object was created, by the service's clock, if its own properties do not say that. */
export const CREATED_PROPERTY = "__created";

/** True in the inputs of a resource that Pulumi has imported, until a program runs: they are all values of the object. */
export const IMPORTED_PROPERTY = "__imported";

/** True in the state of a resource whose import was refused, because the program and the object differ. */
export const REFUSED_PROPERTY = "__refused";
