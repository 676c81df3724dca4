/** Links, and what they do on each platform. */
import { z } from "zod";
import { application } from "./application";
import { identity, lastChangeIfAny, nullable, orOther, parents, uri, uuid } from "./formats";

export const domainType = z.enum(["DEFAULT", "CUSTOM"]);
/** The kind of domain that serves a link: the project's default domain, or a custom domain. */
export type DomainType = z.infer<typeof domainType>;

export const notInstalledOptions = nullable({
  /** What to do, at most 100 characters. */
  notInstalledOptionsAction: z.string().max(100),
  /** URL to send the visitor to, at most 500 characters. */
  customUrl: z.string().max(500),
});
/** What happens to a visitor who has not installed the application. */
export interface NotInstalledOptions extends z.infer<typeof notInstalledOptions> {}

/** The same on both platforms. */
const options = {
  /** The application that the link opens, at most 100 characters. */
  applicationId: z.string().max(100),
  /** URI that the application is asked to open. */
  requestUri: z.string(),
  /** What happens if the application is not installed. */
  notInstalledOptions: notInstalledOptions as z.ZodType<NotInstalledOptions>,
};

export const appleApplicationInfo = nullable({
  /** Prefix and bundle identifier joined by a dot, at most 100 characters. */
  appId: z.string().max(100),
  /** Identifier in the App Store, at most 100 characters. */
  appStoreId: z.string().max(100),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: z.string().max(50),
  /** Name of the application, at most 200 characters. */
  appName: z.string().max(200),
});
/** The iOS application that a link opens. */
export interface AppleApplicationInfo extends z.infer<typeof appleApplicationInfo> {}

export const appleAdvancedOptions = nullable({
  /** Whether iPads open a separate application. */
  ipadOption: z.boolean(),
  /** Whether App Store campaign parameters are added. */
  appStoreCampaignOption: z.boolean(),
  /** Whether the basic custom URL is used. */
  basicCustomUrlOption: z.boolean(),
  /** App Store identifier of the iPad application, at most 100 characters. */
  ipadStoreId: z.string().max(100),
  /** URL scheme of the iPad application, at most 50 characters. */
  ipadScheme: z.string().max(50),
  /** App Store campaign parameter `at`, at most 500 characters. */
  at: z.string().max(500),
  /** App Store campaign parameter `ct`, at most 500 characters. */
  ct: z.string().max(500),
  /** App Store campaign parameter `pt`, at most 500 characters. */
  pt: z.string().max(500),
  /** App Store campaign parameter `mt`, at most 500 characters. */
  mt: z.string().max(500),
  /** Custom URL scheme parameter `ius`, at most 100 characters. */
  ius: z.string().max(100),
});
/** Rarely needed options of a link on iOS. */
export interface AppleAdvancedOptions extends z.infer<typeof appleAdvancedOptions> {}

export const appleOptions = nullable({
  /** What the link does on iOS, at most 100 characters. */
  appleAction: z.string().max(100),
  ...options,
  /** The application that the link opens, in detail. */
  applicationInfo: appleApplicationInfo as z.ZodType<AppleApplicationInfo>,
  /** Rarely needed options. */
  appleAdvancedOptions: appleAdvancedOptions as z.ZodType<AppleAdvancedOptions>,
});
/** What a link does on iOS. A field is null if it is not set. */
export interface AppleOptions extends z.infer<typeof appleOptions> {}

export const androidApplicationInfo = nullable({
  /** Package name, at most 200 characters. */
  appPackageName: z.string().max(200),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: z.string().max(50),
  /** Name of the application, at most 200 characters. */
  appName: z.string().max(200),
  /** SHA-256 fingerprint of the signing certificate, at most 500 characters. */
  sha256Fingerprint: z.string().max(500),
});
/** The Android application that a link opens. */
export interface AndroidApplicationInfo extends z.infer<typeof androidApplicationInfo> {}

export const androidAdvancedOptions = nullable({
  /** Whether `version` is used. */
  advancedOption: z.boolean(),
  /** Version of the application, at most 50 characters. */
  version: z.string().max(50),
});
/** Rarely needed options of a link on Android. */
export interface AndroidAdvancedOptions extends z.infer<typeof androidAdvancedOptions> {}

export const androidOptions = nullable({
  /** What the link does on Android, at most 100 characters. */
  androidAction: z.string().max(100),
  ...options,
  /** The application that the link opens, in detail. */
  applicationInfo: androidApplicationInfo as z.ZodType<AndroidApplicationInfo>,
  /** Rarely needed options. */
  androidAdvancedOptions: androidAdvancedOptions as z.ZodType<AndroidAdvancedOptions>,
});
/** What a link does on Android. A field is null if it is not set. */
export interface AndroidOptions extends z.infer<typeof androidOptions> {}

export const additionalOptions = nullable({
  /** Whether the link has its own preview. */
  previewAction: z.boolean(),
  /** Whether the UTM parameters are added. */
  utmAction: z.boolean(),
  /** Title of the preview, at most 100 characters. */
  previewTitle: z.string().max(100),
  /** Description in the preview, at most 200 characters. */
  previewDescription: z.string().max(200),
  /** URL of the preview's image, at most 500 characters. */
  previewImageUrl: z.string().max(500),
  /** UTM source, at most 500 characters. */
  utmSource: z.string().max(500),
  /** UTM medium, at most 200 characters. */
  utmMedium: z.string().max(200),
  /** UTM campaign, at most 500 characters. */
  utmCampaign: z.string().max(500),
  /** Whether the preview page is skipped. */
  skipAppPreview: z.boolean(),
});
/** Preview and campaign of a link. A field is null if it is not set. */
export interface AdditionalOptions extends z.infer<typeof additionalOptions> {}

export const linkedApplication = application.pick({
  id: true,
  appType: true,
  appleInfo: true,
  androidInfo: true,
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
  ...identity,
  ...parents,
  /** UUID of the custom domain that serves the link, in lower case; null on the default domain. */
  customDomainId: uuid.nullable(),
  /** The kind of domain that serves the link. The service may add others. */
  domainType: orOther(domainType),
  /** Hostname that serves the link. */
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
  ...lastChangeIfAny,
});
/** A short link that leads to a URL or opens an application. */
export interface Link extends z.infer<typeof link> {}
