/** Links, and what they do on each platform. */
import { z } from "zod";
import { type AndroidInfo, type AppleInfo, androidInfo, appleInfo, appType } from "./application";
import { dateTime, orOther, uri, uuid } from "./formats";

/** The kinds of domain that serve a link. */
export const domainType = z.enum(["DEFAULT", "CUSTOM"]);
/** The kind of domain that serves a link: the project's default domain, or a custom domain. */
export type DomainType = z.infer<typeof domainType>;

export const notInstalledOptions = z.strictObject({
  /** What to do, at most 100 characters. */
  notInstalledOptionsAction: z.string().max(100).nullish(),
  /** URL to send the visitor to, at most 500 characters. */
  customUrl: z.string().max(500).nullish(),
});
/** What happens to a visitor who has not installed the application. */
export interface NotInstalledOptions extends z.infer<typeof notInstalledOptions> {}

export const appleApplicationInfo = z.strictObject({
  /** Prefix and bundle identifier joined by a dot, at most 100 characters. */
  appId: z.string().max(100).nullish(),
  /** Identifier in the App Store, at most 100 characters. */
  appStoreId: z.string().max(100).nullish(),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: z.string().max(50).nullish(),
  /** Name of the application, at most 200 characters. */
  appName: z.string().max(200).nullish(),
});
/** The iOS application that a link opens. */
export interface AppleApplicationInfo extends z.infer<typeof appleApplicationInfo> {}

export const appleAdvancedOptions = z.strictObject({
  /** Whether iPads open a separate application. */
  ipadOption: z.boolean().nullish(),
  /** Whether App Store campaign parameters are added. */
  appStoreCampaignOption: z.boolean().nullish(),
  /** Whether the basic custom URL is used. */
  basicCustomUrlOption: z.boolean().nullish(),
  /** App Store identifier of the iPad application, at most 100 characters. */
  ipadStoreId: z.string().max(100).nullish(),
  /** URL scheme of the iPad application, at most 50 characters. */
  ipadScheme: z.string().max(50).nullish(),
  /** App Store campaign parameter `at`, at most 500 characters. */
  at: z.string().max(500).nullish(),
  /** App Store campaign parameter `ct`, at most 500 characters. */
  ct: z.string().max(500).nullish(),
  /** App Store campaign parameter `pt`, at most 500 characters. */
  pt: z.string().max(500).nullish(),
  /** App Store campaign parameter `mt`, at most 500 characters. */
  mt: z.string().max(500).nullish(),
  /** Custom URL scheme parameter `ius`, at most 100 characters. */
  ius: z.string().max(100).nullish(),
});
/** Rarely needed options of a link on iOS. */
export interface AppleAdvancedOptions extends z.infer<typeof appleAdvancedOptions> {}

export const appleOptions = z.strictObject({
  /** What the link does on iOS, at most 100 characters. */
  appleAction: z.string().max(100).nullish(),
  /** The application that the link opens, at most 100 characters. */
  applicationId: z.string().max(100).nullish(),
  /** URI that the application is asked to open. */
  requestUri: z.string().nullish(),
  /** The application that the link opens, in detail. */
  applicationInfo: (appleApplicationInfo as z.ZodType<AppleApplicationInfo>).nullish(),
  /** What happens if the application is not installed. */
  notInstalledOptions: (notInstalledOptions as z.ZodType<NotInstalledOptions>).nullish(),
  /** Rarely needed options. */
  appleAdvancedOptions: (appleAdvancedOptions as z.ZodType<AppleAdvancedOptions>).nullish(),
});
/** What a link does on iOS. A field is null if it is not set. */
export interface AppleOptions extends z.infer<typeof appleOptions> {}

export const androidApplicationInfo = z.strictObject({
  /** Package name, at most 200 characters. */
  appPackageName: z.string().max(200).nullish(),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: z.string().max(50).nullish(),
  /** Name of the application, at most 200 characters. */
  appName: z.string().max(200).nullish(),
  /** SHA-256 fingerprint of the signing certificate, at most 500 characters. */
  sha256Fingerprint: z.string().max(500).nullish(),
});
/** The Android application that a link opens. */
export interface AndroidApplicationInfo extends z.infer<typeof androidApplicationInfo> {}

export const androidAdvancedOptions = z.strictObject({
  /** Whether `version` is used. */
  advancedOption: z.boolean().nullish(),
  /** Version of the application, at most 50 characters. */
  version: z.string().max(50).nullish(),
});
/** Rarely needed options of a link on Android. */
export interface AndroidAdvancedOptions extends z.infer<typeof androidAdvancedOptions> {}

export const androidOptions = z.strictObject({
  /** What the link does on Android, at most 100 characters. */
  androidAction: z.string().max(100).nullish(),
  /** The application that the link opens, at most 100 characters. */
  applicationId: z.string().max(100).nullish(),
  /** URI that the application is asked to open. */
  requestUri: z.string().nullish(),
  /** The application that the link opens, in detail. */
  applicationInfo: (androidApplicationInfo as z.ZodType<AndroidApplicationInfo>).nullish(),
  /** What happens if the application is not installed. */
  notInstalledOptions: (notInstalledOptions as z.ZodType<NotInstalledOptions>).nullish(),
  /** Rarely needed options. */
  androidAdvancedOptions: (androidAdvancedOptions as z.ZodType<AndroidAdvancedOptions>).nullish(),
});
/** What a link does on Android. A field is null if it is not set. */
export interface AndroidOptions extends z.infer<typeof androidOptions> {}

export const additionalOptions = z.strictObject({
  /** Whether the link has its own preview. */
  previewAction: z.boolean().nullish(),
  /** Whether the UTM parameters are added. */
  utmAction: z.boolean().nullish(),
  /** Title of the preview, at most 100 characters. */
  previewTitle: z.string().max(100).nullish(),
  /** Description in the preview, at most 200 characters. */
  previewDescription: z.string().max(200).nullish(),
  /** URL of the preview's image, at most 500 characters. */
  previewImageUrl: z.string().max(500).nullish(),
  /** UTM source, at most 500 characters. */
  utmSource: z.string().max(500).nullish(),
  /** UTM medium, at most 200 characters. */
  utmMedium: z.string().max(200).nullish(),
  /** UTM campaign, at most 500 characters. */
  utmCampaign: z.string().max(500).nullish(),
  /** Whether the preview page is skipped. */
  skipAppPreview: z.boolean().nullish(),
});
/** Preview and campaign of a link. A field is null if it is not set. */
export interface AdditionalOptions extends z.infer<typeof additionalOptions> {}

export const linkedApplication = z.object({
  /** UUID of the application, in lower case. */
  id: uuid,
  /** The platform. The service may add others. */
  appType: orOther(appType),
  /** Details of the iOS application; null on other platforms. */
  appleInfo: (appleInfo as z.ZodType<AppleInfo>).nullable(),
  /** Details of the Android application; null on other platforms. */
  androidInfo: (androidInfo as z.ZodType<AndroidInfo>).nullable(),
});
/** An application that a link opens. */
export interface LinkedApplication extends z.infer<typeof linkedApplication> {}

export const linkApplications = z.object({
  /** The iOS application; null if there is none. */
  apple: (linkedApplication as z.ZodType<LinkedApplication>).nullable(),
  /** The Android application; null if there is none. */
  android: (linkedApplication as z.ZodType<LinkedApplication>).nullable(),
});
/** The applications that a link opens. */
export interface LinkApplications extends z.infer<typeof linkApplications> {}

export const createLink = z.strictObject({
  /** Target URL of the link, at most 500 characters. */
  dynamicLinkUrl: uri.max(500),
  /** Name of the link, at most 100 characters. */
  dynamicLinkName: z.string().max(100),
  /** Last part of the short URL, 1 to 100 characters. Default: the service generates one. */
  dynamicLinkSuffix: z.string().min(1).max(100).optional(),
  /** What the link does on iOS; null if nothing is set. */
  appleOptions: (appleOptions as z.ZodType<AppleOptions>).nullish(),
  /** What the link does on Android; null if nothing is set. */
  androidOptions: (androidOptions as z.ZodType<AndroidOptions>).nullish(),
  /** Preview and campaign; null for none. */
  additionalOptions: (additionalOptions as z.ZodType<AdditionalOptions>).nullish(),
  /** Whether visits are counted. Default: false. */
  statsFlag: z.boolean().optional(),
});
/** The request body that creates a link. The project or custom domain is in the path. */
export interface CreateLink extends z.infer<typeof createLink> {}

export const updateLink = createLink.partial();
/** The request body that updates a link: at least one field. The default of `statsFlag` is false here too. */
export interface UpdateLink extends z.infer<typeof updateLink> {}

export const createCoreLinkV2 = z.strictObject({
  ...createLink.shape,
  /** UUID of the project. */
  projectId: uuid,
  /** UUID of the custom domain that serves the link; null for the project's default domain. */
  customDomainId: uuid.nullish(),
});
/** The request body that creates a link and can let the service choose the applications. */
export interface CreateCoreLinkV2 extends z.infer<typeof createCoreLinkV2> {}

export const createUnifiedLink = z.strictObject({
  ...createLink.shape,
  /** UUID of the project. */
  projectId: uuid,
  /** URL of the custom domain that serves the link; null for the project's default domain. */
  customDomainUrl: uri.nullish(),
});
/** The request body that creates a link on the default domain, or on a custom domain given by its URL. */
export interface CreateUnifiedLink extends z.infer<typeof createUnifiedLink> {}

export const link = z.object({
  /** UUID of the link, in lower case. */
  id: uuid,
  /** UUID of the organization that owns the project, in lower case. */
  organizationId: uuid,
  /** UUID of the project that owns the link, in lower case. */
  projectId: uuid,
  /** UUID of the custom domain that serves the link, in lower case; null on the default domain. */
  customDomainId: uuid.nullable(),
  /** The kind of domain that serves the link. The service may add others. */
  domainType: orOther(domainType),
  /** Host name that serves the link. */
  hostname: z.string(),
  /** Last part of the short URL. */
  suffix: z.string(),
  /** The short URL; null while the link is not ready. */
  shortUrl: uri.nullable(),
  /** Target URL of the link. */
  dynamicLinkUrl: createLink.shape.dynamicLinkUrl,
  /** Name of the link. */
  dynamicLinkName: createLink.shape.dynamicLinkName,
  /** What the link does on iOS; null if nothing is set. */
  appleOptions: (appleOptions as z.ZodType<AppleOptions>).nullable(),
  /** What the link does on Android; null if nothing is set. */
  androidOptions: (androidOptions as z.ZodType<AndroidOptions>).nullable(),
  /** The applications that the link opens. */
  applications: linkApplications as z.ZodType<LinkApplications>,
  /** Preview and campaign; null for none. */
  additionalOptions: (additionalOptions as z.ZodType<AdditionalOptions>).nullable(),
  /** Whether visits are counted. */
  statsFlag: z.boolean(),
  /** When the link was created, as an ISO 8601 date and time. */
  createdAt: dateTime,
  /** When the link was last changed, as an ISO 8601 date and time; null if never. */
  updatedAt: dateTime.nullable(),
});
/** A short link that leads to a URL or opens an application. */
export interface Link extends z.infer<typeof link> {}
