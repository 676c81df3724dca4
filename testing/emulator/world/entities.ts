/** The objects of the emulated service. `wire.ts` has their form over HTTP. */

/** The scopes a credential can have. Write does not imply read. */
export const SCOPES = [
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
export type Scope = (typeof SCOPES)[number];

/** A JSON object that the service stores without interpreting it. Its keys are in camelCase. */
export type JsonObject = { readonly [name: string]: unknown };

/** An object whose fields the emulator assigns, while callers only read them. */
export type Mutable<Values> = { -readonly [Name in keyof Values]: Values[Name] };

/** An Organization. It owns everything else. */
export interface Organization {
  readonly id: string;
  readonly blocked: boolean;
}

/** An Organization API credential. */
export interface Credential {
  readonly id: string;
  readonly organizationId: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly revoked: boolean;
}

/** The theme of a Project's landing page. */
export interface Skin {
  readonly id: string;
  readonly themeType: "basic" | "custom";
  readonly themeChoiceType:
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
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a request sets of a Project besides its name, with the values of a Project for which it does not. */
export const PROJECT_SETTINGS = {
  /** UUID of the logo. Default: `null`. */
  logoImageId: null as string | null,
  /** Default message on the landing pages. Default: `null`. */
  defaultHookupMsg: null as string | null,
};

/** What a request sets of a Project besides its name. */
export interface ProjectSettings extends Readonly<typeof PROJECT_SETTINGS> {}

/** A Project. Times are ISO 8601 strings, here and below. */
export interface Project extends ProjectSettings {
  readonly id: string;
  readonly organizationId: string;
  readonly createdByUserId: string;
  readonly name: string;
  readonly subDomain: string | null;
  /** Whether the Project has the active Pro entitlement. Not visible over HTTP. */
  readonly pro: boolean;
  readonly skin: Skin | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The platform of an Application. */
export type AppType = "IOS" | "ANDROID" | "WEB";

/** The properties of an iOS Application. A field that is not set is absent. */
export interface AppleInfo {
  readonly appName?: string | null;
  readonly appStoreId?: string | null;
  readonly appScheme?: string | null;
  readonly appId?: string | null;
  readonly appIdPrefix?: string | null;
  readonly bundleId?: string | null;
}

/** The properties of an Android Application. A field that is not set is absent. */
export interface AndroidInfo {
  readonly appName?: string | null;
  readonly appPackageName?: string | null;
  readonly appScheme?: string | null;
  readonly sha256Fingerprints?: readonly string[] | null;
}

/** An Application of a Project. */
export interface Application {
  readonly id: string;
  readonly projectId: string;
  readonly appType: AppType;
  readonly appleInfo: AppleInfo | null;
  readonly androidInfo: AndroidInfo | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** The stage of a Custom Domain in its lifecycle. */
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
  readonly id: string;
  readonly projectId: string;
  readonly hostname: string;
  readonly lifecycleStatus: LifecycleStatus;
  readonly providerStatus: string | null;
  readonly sslStatus: string | null;
  readonly ownershipValidation: {
    readonly type?: string;
    readonly name?: string;
    readonly value?: string;
    readonly httpUrl?: string;
    readonly httpBody?: string;
  } | null;
  readonly sslValidationRecords: {
    readonly records: readonly {
      readonly status?: string;
      readonly txtName?: string;
      readonly txtValue?: string;
      readonly httpUrl?: string;
      readonly httpBody?: string;
    }[];
  } | null;
  readonly cnameTarget: string | null;
  readonly lastError: "Provider operation failed." | null;
  readonly lastCheckedAt: string | null;
  readonly activatedAt: string | null;
  readonly expiresAt: string | null;
  readonly nextRetryAt: string | null;
  readonly retryCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How many single reads of the domain there were since its creation. Not visible over HTTP. */
  readonly polls: number;
  /** How many single reads there were since it entered its status. Not visible over HTTP. */
  readonly pollsInStatus: number;
  /** When it entered its status. Not visible over HTTP. */
  readonly statusSince: string;
}

/** A Link, on the Project's default domain or on one of its Custom Domains. */
export interface Link {
  readonly id: string;
  readonly projectId: string;
  readonly customDomainId: string | null;
  readonly suffix: string;
  /** Whether the short URL exists. */
  readonly ready: boolean;
  readonly url: string;
  readonly name: string;
  readonly appleOptions: JsonObject | null;
  readonly androidOptions: JsonObject | null;
  readonly additionalOptions: JsonObject | null;
  readonly appleApplicationId: string | null;
  readonly androidApplicationId: string | null;
  readonly statsFlag: boolean;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** Its position in the order of creation, in which lists return Links. Not visible over HTTP. */
  readonly order: number;
}
