/**
 * Behaviour that the service's documentation leaves open. Each option is one such behaviour, so that a client can be
 * tested under each.
 */

/** When something appears: at once, after this many reads or seconds, or after a time that differs for each request. */
export type Lag =
  | "atOnce"
  | { readonly afterPolls: number }
  | { readonly afterSeconds: number }
  | { readonly upToSeconds: number };

/** The behaviour that the documentation leaves open, with its defaults. */
const DEFAULTS = {
  /** Deleting a Project or a Custom Domain that contains objects, or an Application that a Link opens: returns 409; or deletes the contents as well, and removes the Application from the Link. Default `"conflict"`. */
  deleteWithContents: "conflict" as "conflict" | "cascade",
  /** PATCH of `apple_info` or `android_info`: merges the fields, or replaces the object. Default `"merge"`. */
  patchInfo: "merge" as "merge" | "replace",
  /** A null field in a patched info object: clears the value, or leaves it unchanged. Default `"clear"`. */
  nullInfoField: "clear" as "clear" | "ignore",
  /** An info field that is not set: null in responses, or omitted. Default `"null"`. */
  absentInfoField: "null" as "null" | "omit",
  /** Whether responses derive an `app_id` that is not set from the prefix and the bundle id. Default `false`. */
  deriveAppId: false as boolean,
  /** Whether Project names are unique in the Organization, also in another letter case, and hostnames across all Organizations in normalized form. Default `true`. */
  uniqueNames: true as boolean | "ignoringCase",
  /** Texts are stored as given; or hostnames (lower case, punycode, no final dot) and fingerprints (upper case, sorted) are normalized; or Project names too (lower case, no outer spaces), which are then compared in this form. Default `"asGiven"`. */
  storedForm: "asGiven" as "asGiven" | "normalized" | "normalizedNames",
  /** `cname_target` appears in the response to the creation, after this many GETs of the domain, or never. Default `"atOnce"`. */
  cnameTargetAppears: "atOnce" as "atOnce" | "never" | { readonly afterPolls: number },
  /** The records of ownership and certificate appear with the status that needs them, not before this many GETs of the domain, or never. An active domain has none. Default `"atOnce"`. */
  recordsAppear: "atOnce" as "atOnce" | "never" | { readonly afterPolls: number },
  /** A domain that expires has no records, or new ones, which a retry has as well. Default `"none"`. */
  expiredRecords: "none" as "none" | "new",
  /** What advances a pending domain: `advanceDomain` only, its own GETs, or the clock. Default `{ pollsPerState: 1 }`. */
  domainAdvance: { pollsPerState: 1 } as
    | "manual"
    | { readonly pollsPerState: number }
    | { readonly secondsPerState: number },
  /** The final status of a pending domain. Default `"active"`. */
  domainOutcome: "active" as "active" | "failed",
  /** Retry of a domain that has not failed: returns 409, or 200, which restarts an expired domain. Default `"conflict"`. */
  retryOutsideFailed: "conflict" as "conflict" | "accepted",
  /** How many GETs return DELETING before the domain is gone; `Infinity` for all. Default `1`. */
  deletingPolls: 1,
  /** GETs of a Project, Application or Custom Domain: show what the API created, and what the API or the console changed, at once; or return 404 or the whole object as it was before, for this many GETs or seconds. With `upToSeconds`, each request comes from another replica. Default `"atOnce"`. */
  readLag: "atOnce" as Lag,
  /** Lists of these objects: the same for what was created or changed, and a deleted object stays in them. Default `"atOnce"`. */
  listLag: "atOnce" as Lag,
  /** Whether GETs lag behind deletions as well, and return a deleted object as it was. Default `"lists"`. */
  deletionsLag: "lists" as "lists" | "listsAndReads",
  /** The lookup of the object, or of its Project, that a write begins with: finds what exists, or lags as `readLag`. Default `"current"`. */
  writeLookups: "current" as "current" | "lag",
  /** A list of what is in a Project or Custom Domain that the lists do not show yet: lists it, or returns 404. Default `"listed"`. */
  contentsOfLate: "listed" as "listed" | "notFound",
  /** `updated_at` of Applications and Links, which may be null: null until the first update, the time of creation until then, or always null. Default `"afterUpdate"`. */
  nullableUpdatedAt: "afterUpdate" as "afterUpdate" | "fromCreation" | "never",
  /** The precision of times in responses. With `"coarseReads"`, GETs have whole seconds, and other responses milliseconds. Default `"milliseconds"`. */
  timestampPrecision: "milliseconds" as "milliseconds" | "seconds" | "coarseReads",
  /** Whether the objects in responses whose further fields are not documented have some: those for the logo and for the verification of domains. Default `false`. */
  extraFields: false as boolean,
  /** Whether errors have a message of their own and the field `error`, or only their status and its name. Default `true`. */
  errorDetails: true as boolean,
  /** The header `x-request-id`: echoes the id of the request, is a generated UUID, or is generated for errors and missing otherwise. Default `"echoed"`. */
  requestIds: "echoed" as "echoed" | "generated" | "errorsOnly",
  /** The header `Date` of responses: the service's time, missing, or late by a number of seconds. Default `"current"`. */
  dateHeader: "current" as "current" | "absent" | { readonly secondsBehind: number },
};

/** The behaviour that the documentation leaves open. `defaultBehaviour` has the defaults. */
export interface Behaviour extends Readonly<typeof DEFAULTS> {}

/** The behaviour of an emulator without options. */
export const defaultBehaviour: Readonly<Behaviour> = DEFAULTS;
