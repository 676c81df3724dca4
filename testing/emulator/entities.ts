// What the emulated service remembers. Nothing here knows how it looks over HTTP: see wire.ts.

/** The scopes a credential can have. Write does not imply read. */
export const scopes = [
  "projects:read",
  "projects:write",
  "applications:read",
  "applications:write",
  "domains:read",
  "domains:write",
  "links:read",
  "links:write",
] as const;

/** One scope of a credential. */
export type Scope = (typeof scopes)[number];

/** A JSON object that the service stores and does not look into, its keys in camelCase. */
export type JsonObject = { [name: string]: unknown };

/** Owns everything else. */
export interface Organization {
  id: string;
  blocked: boolean;
}

/** An Organization API credential. */
export interface Credential {
  id: string;
  organizationId: string;
  key: string;
  scopes: Scope[];
  revoked: boolean;
}

/** The theme of a Project's landing page. */
export interface Skin {
  id: string;
  themeType: "basic" | "custom";
  themeChoiceType:
    | "default"
    | "dark_blur"
    | "light_blur"
    | "geometric"
    | "white_circle"
    | "black_circle"
    | "dark"
    | "light"
    | "grey"
    | "black";
  createdAt: string;
  updatedAt: string;
}

/** A Project. Times are ISO 8601 strings, here and below. */
export interface Project {
  id: string;
  organizationId: string;
  createdByUserId: string;
  name: string;
  logoImageId: string | null;
  subDomain: string | null;
  defaultHookupMsg: string | null;
  /** Whether the Project has the active Pro entitlement. Not visible over HTTP. */
  pro: boolean;
  skin: Skin | null;
  createdAt: string;
  updatedAt: string;
}

/** The platform of an Application. */
export type AppType = "IOS" | "ANDROID" | "WEB";

/** What an iOS Application says about itself. A field that is not set is absent. */
export interface AppleInfo {
  appName?: string | null;
  appStoreId?: string | null;
  appScheme?: string | null;
  appId?: string | null;
  appIdPrefix?: string | null;
  bundleId?: string | null;
}

/** What an Android Application says about itself. A field that is not set is absent. */
export interface AndroidInfo {
  appName?: string | null;
  appPackageName?: string | null;
  appScheme?: string | null;
  sha256Fingerprints?: string[] | null;
}

/** An Application of a Project. */
export interface Application {
  id: string;
  projectId: string;
  appType: AppType;
  appleInfo: AppleInfo | null;
  androidInfo: AndroidInfo | null;
  createdAt: string;
  updatedAt: string | null;
}

/** Where a Custom Domain stands. */
export type LifecycleStatus =
  | "PENDING_PROVIDER"
  | "PENDING_DNS"
  | "PENDING_CERTIFICATE"
  | "ACTIVE"
  | "FAILED"
  | "EXPIRED"
  | "DELETING";

/** A Custom Domain of a Project. */
export interface CustomDomain {
  id: string;
  projectId: string;
  hostname: string;
  lifecycleStatus: LifecycleStatus;
  providerStatus: string | null;
  sslStatus: string | null;
  ownershipValidation: {
    type?: string;
    name?: string;
    value?: string;
    httpUrl?: string;
    httpBody?: string;
  } | null;
  sslValidationRecords: {
    records: {
      status?: string;
      txtName?: string;
      txtValue?: string;
      httpUrl?: string;
      httpBody?: string;
    }[];
  } | null;
  cnameTarget: string | null;
  lastError: "Provider operation failed." | null;
  lastCheckedAt: string | null;
  activatedAt: string | null;
  expiresAt: string | null;
  nextRetryAt: string | null;
  retryCount: number;
  createdAt: string;
  updatedAt: string;
  /** How often the domain was read by itself since it was created. Not visible over HTTP. */
  polls: number;
  /** How often it was read by itself since it entered its status. Not visible over HTTP. */
  pollsInStatus: number;
  /** When it entered its status. Not visible over HTTP. */
  statusSince: string;
}

/** A Link, on the Project's default domain or on one of its Custom Domains. */
export interface Link {
  id: string;
  projectId: string;
  customDomainId: string | null;
  suffix: string;
  /** Whether the short URL is there already. */
  ready: boolean;
  url: string;
  name: string;
  appleOptions: JsonObject | null;
  androidOptions: JsonObject | null;
  additionalOptions: JsonObject | null;
  appleApplicationId: string | null;
  androidApplicationId: string | null;
  statsFlag: boolean;
  createdAt: string;
  updatedAt: string | null;
  /** How often the Link was read by itself. Not visible over HTTP. */
  polls: number;
  /** Its place in the order of creation, which is the order of lists. Not visible over HTTP. */
  order: number;
}
