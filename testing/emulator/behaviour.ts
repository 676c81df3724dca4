// What the service does where nobody has written down what it does. Each such question is one named option, so that
// a client can be tried under every answer.

/** Every behaviour that is left open, one option each. `defaultBehaviour` has the defaults. */
export interface Behaviour {
  /** Deleting a Project that has Applications or Custom Domains: 409, or they go with it. Default `"conflict"`. */
  deleteProjectWithChildren: "conflict" | "cascade";
  /** Deleting a Project that has Links: 409, or they go with it. Default `"conflict"`. */
  deleteProjectWithLinks: "conflict" | "cascade";
  /** Deleting an Application that a Link opens: 409, or the Link forgets it. Default `"conflict"`. */
  deleteApplicationInUse: "conflict" | "unlink";
  /** Deleting a Custom Domain that has Links: 409, or they go with it. Default `"conflict"`. */
  deleteCustomDomainWithLinks: "conflict" | "cascade";
  /** PATCH of `apple_info` or `android_info`: field by field, or the object as a whole. Default `"merge"`. */
  patchInfo: "merge" | "replace";
  /** A field that is null inside a patched info object: cleared, or as if it kept its old value. Default `"clear"`. */
  nullInfoField: "clear" | "ignore";
  /** An info field that is not set: null in answers, or left out of them. Default `"null"`. */
  absentInfoField: "null" | "omit";
  /** Whether answers show `app_id` as prefix and bundle where it is not set. Default `false`. */
  deriveAppId: boolean;
  /** Whether a Project's name is taken for the whole Organization. Default `true`. */
  uniqueProjectNames: boolean;
  /** Whether a hostname is taken for everyone, whatever its spelling. Default `"global"`. */
  uniqueHostnames: "global" | "none";
  /** Hostnames are stored as they came, or in lower case, in punycode, without a final dot. Default `"asGiven"`. */
  hostnameSpelling: "asGiven" | "normalized";
  /** `cname_target`: in the answer to the creation, after so many GETs of the domain, or never. Default `"atOnce"`. */
  cnameTargetAppears: "atOnce" | "never" | { afterPolls: number };
  /** `short_url` of a new Link: in the answer to the creation, after so many GETs of it, or never. Default `"atOnce"`. */
  shortUrlAppears: "atOnce" | "never" | { afterPolls: number };
  /** What moves a pending domain on: nothing but a call, its own GETs, or the clock. Default `{ pollsPerState: 1 }`. */
  domainAdvance: "manual" | { pollsPerState: number } | { secondsPerState: number };
  /** Where a pending domain ends up. Default `"active"`. */
  domainOutcome: "active" | "failed";
  /** Retry of a domain that has not failed: 409, or 200; an expired one starts again then. Default `"conflict"`. */
  retryOutsideFailed: "conflict" | "accepted";
  /** How many GETs still show DELETING before the domain is gone; `Infinity` for ever. Default `1`. */
  deletingPolls: number;
  /** Deleting a domain that is DELETING already: 409, or 204 once more. Default `"conflict"`. */
  deleteWhileDeleting: "conflict" | "accepted";
  /** `stats_flag` of a Link whose update leaves it out: back to its default, or as it was. Default `"reset"`. */
  absentStatsFlag: "reset" | "keep";
  /** Whether a core Link takes the Project's first iOS and Android Application where it names none. Default `true`. */
  inferApplications: boolean;
  /** How many characters a generated suffix has. Default `8`. */
  generatedSuffixLength: number;
  /** Whether Projects that are created over HTTP have the Pro entitlement. Default `true`. */
  defaultPro: boolean;
}

/** The behaviour of an emulator that was told nothing. */
export const defaultBehaviour: Readonly<Behaviour> = {
  deleteProjectWithChildren: "conflict",
  deleteProjectWithLinks: "conflict",
  deleteApplicationInUse: "conflict",
  deleteCustomDomainWithLinks: "conflict",
  patchInfo: "merge",
  nullInfoField: "clear",
  absentInfoField: "null",
  deriveAppId: false,
  uniqueProjectNames: true,
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
  generatedSuffixLength: 8,
  defaultPro: true,
};
