/**
 * The data model of the service: every object, response and request body of its API, as a shape and the type that is
 * derived from it.
 *
 * Their operations are in testing/emulator/contract/openapi.yaml. A shape that is named after an operation, such as
 * createProjectShape, is the request body of that operation.
 *
 * Where a request has a choice, a response has text: the service may add values, which must not stop a command.
 *
 * Names are in camelCase; on the wire, they are in snake_case. Times are kept as the text that the service sends. The
 * module loads neither the validator nor the HTTP library.
 */

import {
  choice,
  flag,
  integer,
  list,
  nullable,
  nullish,
  object,
  openObject,
  optional,
  orOther,
  partial,
  type Shape,
  text,
  uuid,
  type ValueOf,
  withRequired,
} from "../shapes/shape";

function dateTime(): Shape<string> {
  return text({ format: "dateTime" });
}

function uri(maxLength?: number): Shape<string> {
  return text({ format: "uri", ...(maxLength !== undefined && { maxLength }) });
}

const SEGMENTS = "two or more dot-separated segments";

// Choices.

/** The scopes of a credential. */
export const scopeShape = choice([
  "projects:read",
  "projects:write",
  "applications:read",
  "applications:write",
  "domains:read",
  "domains:write",
  "links:read",
  "links:write",
]);
/** A scope of a credential. A write scope does not include the read scope. */
export type Scope = ValueOf<typeof scopeShape>;

/** The platforms of an application. */
export const appTypeShape = choice(["IOS", "ANDROID", "WEB"]);
/** The platform of an application. */
export type AppType = ValueOf<typeof appTypeShape>;

/** The stages in the lifecycle of a custom domain. */
export const lifecycleStatusShape = choice([
  "PENDING_PROVIDER",
  "PENDING_DNS",
  "PENDING_CERTIFICATE",
  "ACTIVE",
  "FAILED",
  "EXPIRED",
  "DELETING",
]);
/** The stage in the lifecycle of a custom domain. */
export type LifecycleStatus = ValueOf<typeof lifecycleStatusShape>;

/** The kinds of domain that serve a link. */
export const domainTypeShape = choice(["DEFAULT", "CUSTOM"]);
/** The kind of domain that serves a link: the project's default domain, or a custom domain. */
export type DomainType = ValueOf<typeof domainTypeShape>;

/** The kinds of theme. */
export const themeTypeShape = choice(["basic", "custom"]);
/** The kind of theme of a landing page. */
export type ThemeType = ValueOf<typeof themeTypeShape>;

/** The themes. */
export const themeChoiceTypeShape = choice([
  "default",
  "dark_blur",
  "light_blur",
  "geometric",
  "white_circle",
  "black_circle",
  "dark",
  "light",
  "grey",
  "black",
]);
/** The theme of a landing page. */
export type ThemeChoiceType = ValueOf<typeof themeChoiceTypeShape>;

// The credential.

export const currentApiCredentialShape = object({
  /** UUID of the credential, in lower case. */
  id: uuid(),
  /** UUID of the organization that the credential belongs to, in lower case. */
  organizationId: uuid(),
  /** The first 6 characters of the key, which help to recognize it. */
  keyPrefix: text({ minLength: 6, maxLength: 6 }),
  /** The scopes of the credential. The service may add others. */
  scopes: list(orOther(scopeShape)),
});
/** The credential of the key that a request was sent with. */
export interface CurrentApiCredential extends ValueOf<typeof currentApiCredentialShape> {}

// Projects.

export const logoImageShape = object({
  /** URL of the image. */
  fullPath: uri(),
});
/** The image of a project's logo. */
export interface LogoImage extends ValueOf<typeof logoImageShape> {}

export const skinInfoShape = object({
  /** Name of the theme in use. */
  themeChoiceType: text(),
});
/** The skin of a project. */
export interface SkinInfo extends ValueOf<typeof skinInfoShape> {}

const landingMessage = text({ maxLength: 500 });

export const createProjectShape = object({
  /** Name of the project, 1 to 100 characters. */
  projectName: text({ minLength: 1, maxLength: 100 }),
  /** UUID of the logo image; null for none. */
  logoImageId: nullish(uuid()),
  /** Default landing message, at most 500 characters; null for none. */
  defaultHookupMsg: nullish(landingMessage),
});
/** The request body that creates a project. */
export interface CreateProject extends ValueOf<typeof createProjectShape> {}

export const updateProjectShape = partial(createProjectShape);
/** The request body that updates a project: at least one field. Omitted fields are left unchanged. */
export interface UpdateProject extends ValueOf<typeof updateProjectShape> {}

export const projectShape = object({
  /** UUID of the project, in lower case. */
  id: uuid(),
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid(),
  /** UUID of the user who created the project, in lower case. */
  createdByUserId: uuid(),
  /** Name of the project, 1 to 100 characters. */
  projectName: createProjectShape.fields.projectName,
  /** UUID of the logo image; null if there is none. */
  logoImageId: nullable(uuid()),
  /** Subdomain of the project's default domain; null if there is none. */
  subDomain: nullable(text()),
  /** Default landing message, at most 500 characters; null if there is none. */
  defaultHookupMsg: nullable(landingMessage),
  /** The logo image; null if there is none. */
  logoImage: nullable<LogoImage>(logoImageShape),
  /** The theme in use; null if the project has no skin. */
  skinInfo: nullable<SkinInfo>(skinInfoShape),
  /** Whether the project has an Android application. */
  androidAppFlag: flag(),
  /** Whether the project has an iOS application. */
  iosAppFlag: flag(),
  /** When the project was created, as an ISO 8601 date and time. */
  createdAt: dateTime(),
  /** When the project was last changed, as an ISO 8601 date and time. */
  updatedAt: dateTime(),
});
/** A project, which owns applications, custom domains and links. */
export interface Project extends ValueOf<typeof projectShape> {}

/** The response of the operation listProjects. */
export const projectListShape = object({ projects: list<Project>(projectShape) });

// Skins.

export const saveSkinShape = object({
  /** Kind of theme: `basic` or `custom`. */
  themeType: themeTypeShape,
  /** The theme. */
  themeChoiceType: themeChoiceTypeShape,
});
/** The request body that sets a project's theme. */
export interface SaveSkin extends ValueOf<typeof saveSkinShape> {}

export const skinShape = object({
  /** UUID of the skin, in lower case. */
  id: uuid(),
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid(),
  /** UUID of the project, in lower case. */
  projectId: uuid(),
  /** Kind of theme: `basic` or `custom`. The service may add others. */
  themeType: orOther(themeTypeShape),
  /** The theme. The service may add others. */
  themeChoiceType: orOther(themeChoiceTypeShape),
  /** Default landing message, at most 500 characters; null if there is none. It is set on the project. */
  defaultHookupMsg: projectShape.fields.defaultHookupMsg,
  /** When the skin was created, as an ISO 8601 date and time. */
  createdAt: dateTime(),
  /** When the skin was last changed, as an ISO 8601 date and time. */
  updatedAt: dateTime(),
});
/** The theme of a project's landing page. */
export interface Skin extends ValueOf<typeof skinShape> {}

// Applications.

export const appleInfoShape = object({
  /** Name of the application, at most 50 characters. */
  appName: nullish(text({ maxLength: 50 })),
  /** Identifier in the App Store, at most 100 characters. */
  appStoreId: nullish(text({ maxLength: 100 })),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: nullish(text({ maxLength: 50 })),
  /** Prefix and bundle identifier joined by a dot, as in `A1B2C3D4E5.example.app`; at most 100 characters. */
  appId: nullish(
    text({
      maxLength: 100,
      pattern: /^[A-Z0-9]{10}(\.[A-Za-z0-9-]+){2,}$/,
      meaning: `10 uppercase letters or digits, a dot, then ${SEGMENTS} of letters, digits and hyphens`,
    }),
  ),
  /** Exactly 10 uppercase letters or digits. */
  appIdPrefix: nullish(
    text({ pattern: /^[A-Z0-9]{10}$/, meaning: "exactly 10 uppercase letters or digits" }),
  ),
  /** Bundle identifier, two or more dot-separated segments of letters, digits and hyphens; at most 100 characters. */
  bundleId: nullish(
    text({
      maxLength: 100,
      pattern: /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/,
      meaning: `${SEGMENTS} of letters, digits and hyphens`,
    }),
  ),
});
/** Details of an iOS application. A field is null if it is not set. */
export interface AppleInfo extends ValueOf<typeof appleInfoShape> {}

// createApplication requires more fields than updateApplication.
export const appleInfoCreateShape = withRequired(appleInfoShape, ["appName", "appScheme", "bundleId"]);
/** Details of a new iOS application: `appName`, `appScheme` and `bundleId` are required. */
export interface AppleInfoCreate extends ValueOf<typeof appleInfoCreateShape> {}

export const androidInfoShape = object({
  /** Name of the application, at most 50 characters. */
  appName: nullish(text({ maxLength: 50 })),
  /**
   * Package name, two or more dot-separated segments, each a letter followed by letters, digits or underscores; at
   * most 100 characters.
   */
  appPackageName: nullish(
    text({
      maxLength: 100,
      pattern: /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/,
      meaning: `${SEGMENTS}, each a letter followed by letters, digits or underscores`,
    }),
  ),
  /** URL scheme that opens the application, at most 500 characters. */
  appScheme: nullish(text({ maxLength: 500 })),
  /** SHA-256 fingerprints of the signing certificates: 1 to 10, each 32 pairs of hex digits separated by colons. */
  sha256Fingerprints: nullish(
    list(
      text({
        maxLength: 100,
        pattern: /^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$/,
        meaning: "32 pairs of hex digits separated by colons",
      }),
      { minItems: 1, maxItems: 10 },
    ),
  ),
});
/** Details of an Android application. A field is null if it is not set. */
export interface AndroidInfo extends ValueOf<typeof androidInfoShape> {}

// createApplication requires more fields than updateApplication.
export const androidInfoCreateShape = withRequired(androidInfoShape, [
  "appName",
  "appScheme",
  "appPackageName",
]);
/** Details of a new Android application: `appName`, `appScheme` and `appPackageName` are required. */
export interface AndroidInfoCreate extends ValueOf<typeof androidInfoCreateShape> {}

export const applicationShape = object({
  /** UUID of the application, in lower case. */
  id: uuid(),
  /** UUID of the project that owns the application, in lower case. */
  projectId: uuid(),
  /** The platform. The service may add others. */
  appType: orOther(appTypeShape),
  /** Details of the iOS application; null on other platforms. */
  appleInfo: nullable<AppleInfo>(appleInfoShape),
  /** Details of the Android application; null on other platforms. */
  androidInfo: nullable<AndroidInfo>(androidInfoShape),
  /** When the application was created, as an ISO 8601 date and time. */
  createdAt: dateTime(),
  /** When the application was last changed, as an ISO 8601 date and time; null if never. */
  updatedAt: nullable(dateTime()),
});
/** An iOS, Android or web application of a project. */
export interface Application extends ValueOf<typeof applicationShape> {}

/** The response of the operation listApplications. */
export const applicationListShape = object({ applications: list<Application>(applicationShape) });

/** The request body that creates an iOS application. */
export interface CreateIosApplication {
  /** The platform. */
  appType: "IOS";
  /** Details of the iOS application. */
  appleInfo: AppleInfoCreate;
  /** Null, or omitted. */
  androidInfo?: null | undefined;
}

/** The request body that creates an Android application. */
export interface CreateAndroidApplication {
  /** The platform. */
  appType: "ANDROID";
  /** Null, or omitted. */
  appleInfo?: null | undefined;
  /** Details of the Android application. */
  androidInfo: AndroidInfoCreate;
}

/** The request body that creates a web application. */
export interface CreateWebApplication {
  /** The platform. */
  appType: "WEB";
  /** Null, or omitted. */
  appleInfo?: null | undefined;
  /** Null, or omitted. */
  androidInfo?: null | undefined;
}

/** The request body that creates an application: one variant for each platform. */
export type CreateApplication = CreateIosApplication | CreateAndroidApplication | CreateWebApplication;
/** The fields of all variants. */
export const createApplicationShape = object({
  appType: appTypeShape,
  appleInfo: optional(appleInfoCreateShape),
  androidInfo: optional(androidInfoCreateShape),
});

export const updateApplicationShape = partial(
  object({
    /** The platform. */
    appType: appTypeShape,
    /** Details of the iOS application; null clears them. */
    appleInfo: nullable<AppleInfo>(appleInfoShape),
    /** Details of the Android application; null clears them. */
    androidInfo: nullable<AndroidInfo>(androidInfoShape),
  }),
);
/** The request body that updates an application: at least one field. */
export interface UpdateApplication extends ValueOf<typeof updateApplicationShape> {}

// Custom domains.

export const createCustomDomainShape = object({
  /** Host name of the domain, 1 to 253 characters. */
  hostname: text({ minLength: 1, maxLength: 253 }),
});
/** The request body that creates a custom domain. */
export interface CreateCustomDomain extends ValueOf<typeof createCustomDomainShape> {}

export const ownershipValidationShape = openObject({
  /** Kind of DNS record to set. */
  type: optional(text()),
  /** Name of the DNS record. */
  name: optional(text()),
  /** Value of the DNS record. */
  value: optional(text()),
  /** URL at which to serve `httpBody`. If present, prefer it to the DNS record. */
  httpUrl: optional(uri()),
  /** What to serve at `httpUrl`. */
  httpBody: optional(text()),
});
/** How to prove the ownership of a host name. Additional fields keep the names that the service uses. */
export interface OwnershipValidation extends ValueOf<typeof ownershipValidationShape> {}

export const sslValidationRecordShape = openObject({
  /** Status of the validation. */
  status: optional(text()),
  /** Name of the TXT record to set. */
  txtName: optional(text()),
  /** Value of the TXT record. */
  txtValue: optional(text()),
  /** URL at which to serve `httpBody`. */
  httpUrl: optional(uri()),
  /** What to serve at `httpUrl`. */
  httpBody: optional(text()),
});
/** One way to validate a certificate. Additional fields keep the names that the service uses. */
export interface SslValidationRecord extends ValueOf<typeof sslValidationRecordShape> {}

export const sslValidationRecordsShape = object({
  /** The records to set. */
  records: list<SslValidationRecord>(sslValidationRecordShape),
});
/** The records to set before a certificate can be issued. */
export interface SslValidationRecords extends ValueOf<typeof sslValidationRecordsShape> {}

export const customDomainShape = object({
  /** UUID of the custom domain, in lower case. */
  id: uuid(),
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid(),
  /** UUID of the project that owns the domain, in lower case. */
  projectId: uuid(),
  /** Host name of the domain. */
  hostname: createCustomDomainShape.fields.hostname,
  /** The stage in the domain's lifecycle. The service may add others. */
  lifecycleStatus: orOther(lifecycleStatusShape),
  /** The domain provider's status of the domain; null if there is none. */
  providerStatus: nullish(text()),
  /** The domain provider's status of the certificate; null if there is none. */
  sslStatus: nullish(text()),
  /** How to prove ownership; null if nothing is required. Once the domain is active, it has been proven. */
  ownershipValidation: nullish<OwnershipValidation>(ownershipValidationShape),
  /** The records to set for the certificate; null if none are required. Once the domain is active, it has been issued. */
  sslValidationRecords: nullish<SslValidationRecords>(sslValidationRecordsShape),
  /** The target of the host name's CNAME record; null until it is assigned. */
  cnameTarget: nullish(text()),
  /** A text if the last step at the domain provider failed, such as `Provider operation failed.`; otherwise null. */
  lastError: nullish(text()),
  /** When the service last checked the domain, as an ISO 8601 date and time; null if never. */
  lastCheckedAt: nullish(dateTime()),
  /** When the domain became active, as an ISO 8601 date and time; null if never. */
  activatedAt: nullish(dateTime()),
  /** When the domain expires, as an ISO 8601 date and time; null if it does not. */
  expiresAt: nullish(dateTime()),
  /** When the service retries automatically, as an ISO 8601 date and time; null if it does not. */
  nextRetryAt: nullish(dateTime()),
  /** How many times provisioning was retried. */
  retryCount: integer(),
  /** When the domain was created, as an ISO 8601 date and time. */
  createdAt: dateTime(),
  /** When the domain was last changed, as an ISO 8601 date and time. */
  updatedAt: dateTime(),
});
/** A custom domain, which serves links of a project. */
export interface CustomDomain extends ValueOf<typeof customDomainShape> {}

/** The response of the operation listCustomDomains. */
export const customDomainListShape = object({ customDomains: list<CustomDomain>(customDomainShape) });

// Links.

export const notInstalledOptionsShape = object({
  /** What to do, at most 100 characters. */
  notInstalledOptionsAction: nullish(text({ maxLength: 100 })),
  /** URL to send the visitor to, at most 500 characters. */
  customUrl: nullish(text({ maxLength: 500 })),
});
/** What happens to a visitor who has not installed the application. */
export interface NotInstalledOptions extends ValueOf<typeof notInstalledOptionsShape> {}

export const appleApplicationInfoShape = object({
  /** Prefix and bundle identifier joined by a dot, at most 100 characters. */
  appId: nullish(text({ maxLength: 100 })),
  /** Identifier in the App Store, at most 100 characters. */
  appStoreId: nullish(text({ maxLength: 100 })),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: nullish(text({ maxLength: 50 })),
  /** Name of the application, at most 200 characters. */
  appName: nullish(text({ maxLength: 200 })),
});
/** The iOS application that a link opens. */
export interface AppleApplicationInfo extends ValueOf<typeof appleApplicationInfoShape> {}

export const appleAdvancedOptionsShape = object({
  /** Whether iPads open a separate application. */
  ipadOption: nullish(flag()),
  /** Whether App Store campaign parameters are added. */
  appStoreCampaignOption: nullish(flag()),
  /** Whether the basic custom URL is used. */
  basicCustomUrlOption: nullish(flag()),
  /** App Store identifier of the iPad application, at most 100 characters. */
  ipadStoreId: nullish(text({ maxLength: 100 })),
  /** URL scheme of the iPad application, at most 50 characters. */
  ipadScheme: nullish(text({ maxLength: 50 })),
  /** App Store campaign parameter `at`, at most 500 characters. */
  at: nullish(text({ maxLength: 500 })),
  /** App Store campaign parameter `ct`, at most 500 characters. */
  ct: nullish(text({ maxLength: 500 })),
  /** App Store campaign parameter `pt`, at most 500 characters. */
  pt: nullish(text({ maxLength: 500 })),
  /** App Store campaign parameter `mt`, at most 500 characters. */
  mt: nullish(text({ maxLength: 500 })),
  /** Custom URL scheme parameter `ius`, at most 100 characters. */
  ius: nullish(text({ maxLength: 100 })),
});
/** Rarely needed options of a link on iOS. */
export interface AppleAdvancedOptions extends ValueOf<typeof appleAdvancedOptionsShape> {}

export const appleOptionsShape = object({
  /** What the link does on iOS, at most 100 characters. */
  appleAction: nullish(text({ maxLength: 100 })),
  /** The application that the link opens, at most 100 characters. */
  applicationId: nullish(text({ maxLength: 100 })),
  /** URI that the application is asked to open. */
  requestUri: nullish(text()),
  /** The application that the link opens, in detail. */
  applicationInfo: nullish<AppleApplicationInfo>(appleApplicationInfoShape),
  /** What happens if the application is not installed. */
  notInstalledOptions: nullish<NotInstalledOptions>(notInstalledOptionsShape),
  /** Rarely needed options. */
  appleAdvancedOptions: nullish<AppleAdvancedOptions>(appleAdvancedOptionsShape),
});
/** What a link does on iOS. A field is null if it is not set. */
export interface AppleOptions extends ValueOf<typeof appleOptionsShape> {}

export const androidApplicationInfoShape = object({
  /** Package name, at most 200 characters. */
  appPackageName: nullish(text({ maxLength: 200 })),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: nullish(text({ maxLength: 50 })),
  /** Name of the application, at most 200 characters. */
  appName: nullish(text({ maxLength: 200 })),
  /** SHA-256 fingerprint of the signing certificate, at most 500 characters. */
  sha256Fingerprint: nullish(text({ maxLength: 500 })),
});
/** The Android application that a link opens. */
export interface AndroidApplicationInfo extends ValueOf<typeof androidApplicationInfoShape> {}

export const androidAdvancedOptionsShape = object({
  /** Whether `version` is used. */
  advancedOption: nullish(flag()),
  /** Version of the application, at most 50 characters. */
  version: nullish(text({ maxLength: 50 })),
});
/** Rarely needed options of a link on Android. */
export interface AndroidAdvancedOptions extends ValueOf<typeof androidAdvancedOptionsShape> {}

export const androidOptionsShape = object({
  /** What the link does on Android, at most 100 characters. */
  androidAction: nullish(text({ maxLength: 100 })),
  /** The application that the link opens, at most 100 characters. */
  applicationId: nullish(text({ maxLength: 100 })),
  /** URI that the application is asked to open. */
  requestUri: nullish(text()),
  /** The application that the link opens, in detail. */
  applicationInfo: nullish<AndroidApplicationInfo>(androidApplicationInfoShape),
  /** What happens if the application is not installed. */
  notInstalledOptions: nullish<NotInstalledOptions>(notInstalledOptionsShape),
  /** Rarely needed options. */
  androidAdvancedOptions: nullish<AndroidAdvancedOptions>(androidAdvancedOptionsShape),
});
/** What a link does on Android. A field is null if it is not set. */
export interface AndroidOptions extends ValueOf<typeof androidOptionsShape> {}

export const additionalOptionsShape = object({
  /** Whether the link has its own preview. */
  previewAction: nullish(flag()),
  /** Whether the UTM parameters are added. */
  utmAction: nullish(flag()),
  /** Title of the preview, at most 100 characters. */
  previewTitle: nullish(text({ maxLength: 100 })),
  /** Description in the preview, at most 200 characters. */
  previewDescription: nullish(text({ maxLength: 200 })),
  /** URL of the preview's image, at most 500 characters. */
  previewImageUrl: nullish(text({ maxLength: 500 })),
  /** UTM source, at most 500 characters. */
  utmSource: nullish(text({ maxLength: 500 })),
  /** UTM medium, at most 200 characters. */
  utmMedium: nullish(text({ maxLength: 200 })),
  /** UTM campaign, at most 500 characters. */
  utmCampaign: nullish(text({ maxLength: 500 })),
  /** Whether the preview page is skipped. */
  skipAppPreview: nullish(flag()),
});
/** Preview and campaign of a link. A field is null if it is not set. */
export interface AdditionalOptions extends ValueOf<typeof additionalOptionsShape> {}

export const linkedApplicationShape = object({
  /** UUID of the application, in lower case. */
  id: uuid(),
  /** The platform. The service may add others. */
  appType: orOther(appTypeShape),
  /** Details of the iOS application; null on other platforms. */
  appleInfo: nullable<AppleInfo>(appleInfoShape),
  /** Details of the Android application; null on other platforms. */
  androidInfo: nullable<AndroidInfo>(androidInfoShape),
});
/** An application that a link opens. */
export interface LinkedApplication extends ValueOf<typeof linkedApplicationShape> {}

export const linkApplicationsShape = object({
  /** The iOS application; null if there is none. */
  apple: nullable<LinkedApplication>(linkedApplicationShape),
  /** The Android application; null if there is none. */
  android: nullable<LinkedApplication>(linkedApplicationShape),
});
/** The applications that a link opens. */
export interface LinkApplications extends ValueOf<typeof linkApplicationsShape> {}

export const createLinkShape = object({
  /** Target URL of the link, at most 500 characters. */
  dynamicLinkUrl: uri(500),
  /** Name of the link, at most 100 characters. */
  dynamicLinkName: text({ maxLength: 100 }),
  /** Last part of the short URL, 1 to 100 characters. Default: the service generates one. */
  dynamicLinkSuffix: optional(text({ minLength: 1, maxLength: 100 })),
  /** What the link does on iOS; null if nothing is set. */
  appleOptions: nullish<AppleOptions>(appleOptionsShape),
  /** What the link does on Android; null if nothing is set. */
  androidOptions: nullish<AndroidOptions>(androidOptionsShape),
  /** Preview and campaign; null for none. */
  additionalOptions: nullish<AdditionalOptions>(additionalOptionsShape),
  /** Whether visits are counted. Default: false. */
  statsFlag: optional(flag()),
});
/** The request body that creates a link. The project or custom domain is in the path. */
export interface CreateLink extends ValueOf<typeof createLinkShape> {}

export const updateLinkShape = partial(createLinkShape);
/** The request body that updates a link: at least one field. The default of `statsFlag` is false here too. */
export interface UpdateLink extends ValueOf<typeof updateLinkShape> {}

export const createCoreLinkV2Shape = object({
  ...createLinkShape.fields,
  /** UUID of the project. */
  projectId: uuid(),
  /** UUID of the custom domain that serves the link; null for the project's default domain. */
  customDomainId: nullish(uuid()),
});
/** The request body that creates a link and can let the service choose the applications. */
export interface CreateCoreLinkV2 extends ValueOf<typeof createCoreLinkV2Shape> {}

export const createUnifiedLinkShape = object({
  ...createLinkShape.fields,
  /** UUID of the project. */
  projectId: uuid(),
  /** URL of the custom domain that serves the link; null for the project's default domain. */
  customDomainUrl: nullish(uri()),
});
/** The request body that creates a link on the default domain, or on a custom domain given by its URL. */
export interface CreateUnifiedLink extends ValueOf<typeof createUnifiedLinkShape> {}

export const linkShape = object({
  /** UUID of the link, in lower case. */
  id: uuid(),
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid(),
  /** UUID of the project that owns the link, in lower case. */
  projectId: uuid(),
  /** UUID of the custom domain that serves the link, in lower case; null on the default domain. */
  customDomainId: nullable(uuid()),
  /** The kind of domain that serves the link. The service may add others. */
  domainType: orOther(domainTypeShape),
  /** Host name that serves the link. */
  hostname: text(),
  /** Last part of the short URL. */
  suffix: text(),
  /** The short URL; null while the link is not ready. */
  shortUrl: nullable(uri()),
  /** Target URL of the link. */
  dynamicLinkUrl: createLinkShape.fields.dynamicLinkUrl,
  /** Name of the link. */
  dynamicLinkName: createLinkShape.fields.dynamicLinkName,
  /** What the link does on iOS; null if nothing is set. */
  appleOptions: nullable<AppleOptions>(appleOptionsShape),
  /** What the link does on Android; null if nothing is set. */
  androidOptions: nullable<AndroidOptions>(androidOptionsShape),
  /** The applications that the link opens. */
  applications: linkApplicationsShape as Shape<LinkApplications>,
  /** Preview and campaign; null for none. */
  additionalOptions: nullable<AdditionalOptions>(additionalOptionsShape),
  /** Whether visits are counted. */
  statsFlag: flag(),
  /** When the link was created, as an ISO 8601 date and time. */
  createdAt: dateTime(),
  /** When the link was last changed, as an ISO 8601 date and time; null if never. */
  updatedAt: nullable(dateTime()),
});
/** A short link that leads to a URL or opens an application. */
export interface Link extends ValueOf<typeof linkShape> {}

export const linkPageShape = object({
  /** The links of this page. */
  links: list<Link>(linkShape),
  /** The `cursor` for the next page; null on the last page. */
  nextCursor: nullable(text()),
});
/** One page of a list of links. */
export interface LinkPage extends ValueOf<typeof linkPageShape> {}

// Availability.

export const availabilityShape = object({
  /** Whether the suffix is available. It is not reserved. */
  available: flag(),
});
/** Whether a link's suffix is available. */
export interface Availability extends ValueOf<typeof availabilityShape> {}

export const nameAvailabilityShape = object({
  /** Whether the name is available. It is not reserved. */
  isAvailable: flag(),
});
/** Whether a project's name is available. */
export interface NameAvailability extends ValueOf<typeof nameAvailabilityShape> {}
