/** The hidden properties that users' states contain, with either host. None of them may change. */

/** In the state: the UUID of the owning organization. */
export const ORGANIZATION_PROPERTY = "__organization";

/** In inputs and state: the UUID of the option `import`. */
export const IMPORT_PROPERTY = "__import";

/**
 * In the state: the UUID of the object, if the resource adopted it instead of creating it. It remains after the option is
 * removed.
 */
export const ADOPTED_PROPERTY = "__adopted";

/**
 * In the state: when the service last changed the object, as far as the state shows it, as an ISO 8601 date and time. Of
 * kinds whose updates start from a read. States of earlier versions lack it.
 */
export const UPDATED_AT_PROPERTY = "__updatedAt";

/**
 * In the state, beside {@link UPDATED_AT_PROPERTY}: the paths of declared values that were changed outside Pulumi, and that
 * the last update left unchanged. A refresh removes it.
 */
export const CHANGED_OUTSIDE_PROPERTY = "__changedOutside";

/**
 * In the inputs of a resource of the native host that `pulumi import` brought into the state: `true` if no program has run
 * since, so that the inputs are all values of the object. The check removes it. The dynamic host refuses it: version 0.4.0
 * wrote it there.
 */
export const IMPORTED_PROPERTY = "__imported";
