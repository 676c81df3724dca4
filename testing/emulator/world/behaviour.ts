/**
 * Behaviour that the service's documentation leaves open. Each option is one such behaviour, so that a client can be
 * tested under each.
 */

/** When something appears: at once, or after this many reads or seconds. */
export type Lag = "atOnce" | { readonly afterPolls: number } | { readonly afterSeconds: number };

/** The behaviour that the documentation leaves open. `defaultBehaviour` has the defaults. */
export interface Behaviour {
  /** Deleting a Project or a Custom Domain that contains objects, or an Application that a Link opens: returns 409; or deletes the contents as well, and removes the Application from the Link. Default `"conflict"`. */
  readonly deleteWithContents: "conflict" | "cascade";
  /** PATCH of `apple_info` or `android_info`: merges the fields, or replaces the object. Default `"merge"`. */
  readonly patchInfo: "merge" | "replace";
  /** A null field in a patched info object: clears the value, or leaves it unchanged. Default `"clear"`. */
  readonly nullInfoField: "clear" | "ignore";
  /** An info field that is not set: null in responses, or omitted. Default `"null"`. */
  readonly absentInfoField: "null" | "omit";
  /** Whether responses derive an `app_id` that is not set from the prefix and the bundle id. Default `false`. */
  readonly deriveAppId: boolean;
  /** Whether Project names are unique in the Organization, and hostnames across all Organizations in normalized form. Default `true`. */
  readonly uniqueNames: boolean;
  /** Texts are stored as given; or hostnames (lower case, punycode, no final dot) and fingerprints (upper case, sorted) are normalized; or Project names too (lower case, no outer spaces), which are then compared in this form. Default `"asGiven"`. */
  readonly storedForm: "asGiven" | "normalized" | "normalizedNames";
  /** `cname_target` appears in the response to the creation, after this many GETs of the domain, or never. Default `"atOnce"`. */
  readonly cnameTargetAppears: "atOnce" | "never" | { readonly afterPolls: number };
  /** What advances a pending domain: `advanceDomain` only, its own GETs, or the clock. Default `{ pollsPerState: 1 }`. */
  readonly domainAdvance:
    | "manual"
    | { readonly pollsPerState: number }
    | { readonly secondsPerState: number };
  /** The final status of a pending domain. Default `"active"`. */
  readonly domainOutcome: "active" | "failed";
  /** Retry of a domain that has not failed: returns 409, or 200, which restarts an expired domain. Default `"conflict"`. */
  readonly retryOutsideFailed: "conflict" | "accepted";
  /** How many GETs return DELETING before the domain is gone; `Infinity` for all. Default `1`. */
  readonly deletingPolls: number;
  /** GETs of a Project, Application or Custom Domain: show what the API created, and what the API or the console changed, at once; or return 404 or the whole object as it was before, for this many GETs or seconds. Default `"atOnce"`. */
  readonly readLag: Lag;
  /** Lists of these objects: the same for what was created or changed, and a deleted object stays in them. Default `"atOnce"`. */
  readonly listLag: Lag;
  /** Whether GETs lag behind deletions as well, and return a deleted object as it was. Default `"lists"`. */
  readonly deletionsLag: "lists" | "listsAndReads";
  /** A list of what is in a Project or Custom Domain that the lists do not show yet: lists it, or returns 404. Default `"listed"`. */
  readonly contentsOfLate: "listed" | "notFound";
  /** `updated_at` of Applications and Links, which may be null: null until the first update, the time of creation until then, or always null. Default `"afterUpdate"`. */
  readonly nullableUpdatedAt: "afterUpdate" | "fromCreation" | "never";
  /** The precision of times in responses. With `"coarseReads"`, GETs have whole seconds, and other responses milliseconds. Default `"milliseconds"`. */
  readonly timestampPrecision: "milliseconds" | "seconds" | "coarseReads";
  /** Whether the objects in responses whose further fields are not documented have some: those for the logo and for the verification of domains. Default `false`. */
  readonly extraFields: boolean;
  /** Whether errors have a message of their own and the field `error`, or only their status and its name. Default `true`. */
  readonly errorDetails: boolean;
  /** The header `x-request-id`: echoes the id of the request, is a generated UUID, or is generated for errors and missing otherwise. Default `"echoed"`. */
  readonly requestIds: "echoed" | "generated" | "errorsOnly";
  /** The header `Date` of responses: the service's time, missing, or late by a number of seconds. Default `"current"`. */
  readonly dateHeader: "current" | "absent" | { readonly secondsBehind: number };
}

/** The behaviour of an emulator without options. */
export const defaultBehaviour: Readonly<Behaviour> = {
  deleteWithContents: "conflict",
  patchInfo: "merge",
  nullInfoField: "clear",
  absentInfoField: "null",
  deriveAppId: false,
  uniqueNames: true,
  storedForm: "asGiven",
  cnameTargetAppears: "atOnce",
  domainAdvance: { pollsPerState: 1 },
  domainOutcome: "active",
  retryOutsideFailed: "conflict",
  deletingPolls: 1,
  readLag: "atOnce",
  listLag: "atOnce",
  deletionsLag: "lists",
  contentsOfLate: "listed",
  nullableUpdatedAt: "afterUpdate",
  timestampPrecision: "milliseconds",
  extraFields: false,
  errorDetails: true,
  requestIds: "echoed",
  dateHeader: "current",
};
