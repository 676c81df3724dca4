/**
 * Behaviour that the service's documentation leaves open. Each option is one such behaviour, so that a client can be
 * tested under each behaviour. The reference of the emulator lists the few points that have no option.
 */

/** The behaviour that the documentation leaves open. `defaultBehaviour` has the defaults. */
export interface Behaviour {
  /** Deleting a Project that has Applications or Custom Domains: returns 409, or deletes them as well. Default `"conflict"`. */
  readonly deleteProjectWithChildren: "conflict" | "cascade";
  /** Deleting a Project that has Links: returns 409, or deletes them as well. Default `"conflict"`. */
  readonly deleteProjectWithLinks: "conflict" | "cascade";
  /** Deleting an Application that a Link opens: returns 409, or removes it from the Link. Default `"conflict"`. */
  readonly deleteApplicationInUse: "conflict" | "unlink";
  /** Deleting a Custom Domain that has Links: returns 409, or deletes them as well. Default `"conflict"`. */
  readonly deleteCustomDomainWithLinks: "conflict" | "cascade";
  /** PATCH of `apple_info` or `android_info`: merges the fields, or replaces the object. Default `"merge"`. */
  readonly patchInfo: "merge" | "replace";
  /** A null field in a patched info object: clears the value, or leaves it unchanged. Default `"clear"`. */
  readonly nullInfoField: "clear" | "ignore";
  /** An info field that is not set: null in responses, or omitted. Default `"null"`. */
  readonly absentInfoField: "null" | "omit";
  /** A null in an info field that a create requires: accepted, as for other fields, or refused with 400. Default `"accepted"`. */
  readonly nullRequiredInfo: "accepted" | "refused";
  /** PATCH of an Application that leaves infos that do not fit `app_type`: returns 400, clears the info of the other platform, or keeps it. Without 400, the platform's own info can be missing. Default `"refused"`. */
  readonly unfitInfo: "refused" | "cleared" | "kept";
  /** Whether responses derive an `app_id` that is not set from the prefix and the bundle id. Default `false`. */
  readonly deriveAppId: boolean;
  /** Whether Project names are unique in the Organization. Default `true`. */
  readonly uniqueProjectNames: boolean;
  /** Project names are stored as given, or normalized: lower case, without outer spaces. Compared in the same form. Default `"asGiven"`. */
  readonly projectNameSpelling: "asGiven" | "normalized";
  /** What a new hostname can be: a hostname of two or more labels, of one or more, or any text. Others are refused with 400. Default `"dotted"`. */
  readonly hostnameSyntax: "dotted" | "hostname" | "any";
  /** Whether hostnames are unique across all Organizations, compared in normalized form. Default `"global"`. */
  readonly uniqueHostnames: "global" | "none";
  /** Hostnames are stored as given, or normalized: lower case, punycode, no final dot. Default `"asGiven"`. */
  readonly hostnameSpelling: "asGiven" | "normalized";
  /** `cname_target` appears in the response to the creation, after this many GETs of the domain, or never. Default `"atOnce"`. */
  readonly cnameTargetAppears: "atOnce" | "never" | { readonly afterPolls: number };
  /** `short_url` of a new Link appears in the response to the creation, after this many GETs of it, or never. Default `"atOnce"`. */
  readonly shortUrlAppears: "atOnce" | "never" | { readonly afterPolls: number };
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
  /** Deleting a domain that is already DELETING: returns 409, or 204 again. Default `"conflict"`. */
  readonly deleteWhileDeleting: "conflict" | "accepted";
  /** `stats_flag` of a Link whose update omits it: reset to its default, or unchanged. Default `"reset"`. */
  readonly absentStatsFlag: "reset" | "keep";
  /** Whether a core Link without applications uses the Project's first iOS and Android Applications. Default `true`. */
  readonly inferApplications: boolean;
  /** An `application_id` in the options of a Link that names no Application of the Organization: returns 404, or is stored as text. Default `"application"`. */
  readonly linkApplicationId: "application" | "text";
  /** The number of characters in a generated suffix. Default `8`. */
  readonly generatedSuffixLength: number;
  /** GET of a Project, Application or Custom Domain created over HTTP: finds it, or returns 404 this many times first. Default `"atOnce"`. */
  readonly newObjectReadable: "atOnce" | { readonly afterPolls: number };
  /** The list of a new Project, Application or Custom Domain: contains it, or lacks it this many times first. Default `"atOnce"`. */
  readonly newObjectListed: "atOnce" | { readonly afterPolls: number };
  /** The list of a deleted Project, Application or Custom Domain: lacks it, or still contains it this many times. Default `"atOnce"`. */
  readonly deletedObjectUnlisted: "atOnce" | { readonly afterPolls: number };
  /** GET of a Project, Application or Custom Domain that the API or the console changed: shows the change, or the whole object as it was before, `updated_at` included, this many times or seconds. Default `"atOnce"`. */
  readonly changeReadable: "atOnce" | { readonly afterPolls: number } | { readonly afterSeconds: number };
  /** The list of a changed Project, Application or Custom Domain: shows the change, or the whole object as it was before, this many times or seconds. Default `"atOnce"`. */
  readonly changeListed: "atOnce" | { readonly afterPolls: number } | { readonly afterSeconds: number };
  /** `updated_at` of Applications and Links, which may be null: null until the first update, the time of creation until then, or always null. Default `"afterUpdate"`. */
  readonly nullableUpdatedAt: "afterUpdate" | "fromCreation" | "never";
  /** The precision of times in responses. With seconds, two updates can have the same time. Default `"milliseconds"`. */
  readonly timestampPrecision: "milliseconds" | "seconds";
  /** The order of lists, by time of creation. Default `"oldestFirst"`. */
  readonly listOrder: "oldestFirst" | "newestFirst";
  /** `sub_domain` of a Project created over HTTP: generated, or null. Default `"generated"`. */
  readonly newSubDomain: "generated" | "none";
  /** Whether the objects in responses whose further fields are not documented have some: those for the logo and for the verification of domains. Default `false`. */
  readonly extraFields: boolean;
  /** Whether errors have a message of their own and the field `error`, or only their status and its name. Default `true`. */
  readonly errorDetails: boolean;
  /** The header `x-request-id` of errors: echoes the id of the request, or is a generated UUID. A request without an id always gets a generated one. Default `"echoed"`. */
  readonly errorRequestId: "echoed" | "generated";
  /** The header `x-request-id` of other responses: echoes the id of the request, is a generated UUID, or is missing. Default `"echoed"`. */
  readonly successRequestId: "echoed" | "generated" | "absent";
  /** The header `Date` of responses: the service's time, missing, or late by a number of seconds. Default `"current"`. */
  readonly dateHeader: "current" | "absent" | { readonly secondsBehind: number };
  /** Whether Projects created over HTTP have the Pro entitlement. Default `true`. */
  readonly defaultPro: boolean;
}

/** The behaviour of an emulator without options. */
export const defaultBehaviour: Readonly<Behaviour> = {
  deleteProjectWithChildren: "conflict",
  deleteProjectWithLinks: "conflict",
  deleteApplicationInUse: "conflict",
  deleteCustomDomainWithLinks: "conflict",
  patchInfo: "merge",
  nullInfoField: "clear",
  absentInfoField: "null",
  nullRequiredInfo: "accepted",
  unfitInfo: "refused",
  deriveAppId: false,
  uniqueProjectNames: true,
  projectNameSpelling: "asGiven",
  hostnameSyntax: "dotted",
  uniqueHostnames: "global",
  hostnameSpelling: "asGiven",
  cnameTargetAppears: "atOnce",
  shortUrlAppears: "atOnce",
  domainAdvance: { pollsPerState: 1 },
  domainOutcome: "active",
  retryOutsideFailed: "conflict",
  deletingPolls: 1,
  deleteWhileDeleting: "conflict",
  absentStatsFlag: "reset",
  inferApplications: true,
  linkApplicationId: "application",
  generatedSuffixLength: 8,
  newObjectReadable: "atOnce",
  newObjectListed: "atOnce",
  deletedObjectUnlisted: "atOnce",
  changeReadable: "atOnce",
  changeListed: "atOnce",
  nullableUpdatedAt: "afterUpdate",
  timestampPrecision: "milliseconds",
  listOrder: "oldestFirst",
  newSubDomain: "generated",
  extraFields: false,
  errorDetails: true,
  errorRequestId: "echoed",
  successRequestId: "echoed",
  dateHeader: "current",
  defaultPro: true,
};
