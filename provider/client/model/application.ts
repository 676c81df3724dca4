/** The iOS, Android and web applications of a project. */
import { z } from "zod";
import { dateTime, orOther, uuid } from "./formats";

/** The platforms of an application. */
export const appType = z.enum(["IOS", "ANDROID", "WEB"]);
/** The platform of an application. */
export type AppType = z.infer<typeof appType>;

const SEGMENTS = "two or more dot-separated segments";

const appName = z.string().max(50);
const appScheme = z.string().max(50);
const bundleId = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/)
  .meta({ meaning: `${SEGMENTS} of letters, digits and hyphens` });

export const appleInfo = z.strictObject({
  /** Name of the application, at most 50 characters. */
  appName: appName.nullish(),
  /** Identifier in the App Store, at most 100 characters. */
  appStoreId: z.string().max(100).nullish(),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: appScheme.nullish(),
  /** Prefix and bundle identifier joined by a dot, as in `A1B2C3D4E5.example.app`; at most 100 characters. */
  appId: z
    .string()
    .max(100)
    .regex(/^[A-Z0-9]{10}(\.[A-Za-z0-9-]+){2,}$/)
    .meta({
      meaning: `10 uppercase letters or digits, a dot, then ${SEGMENTS} of letters, digits and hyphens`,
    })
    .nullish(),
  /** Exactly 10 uppercase letters or digits. */
  appIdPrefix: z
    .string()
    .regex(/^[A-Z0-9]{10}$/)
    .meta({ meaning: "exactly 10 uppercase letters or digits" })
    .nullish(),
  /** Bundle identifier, two or more dot-separated segments of letters, digits and hyphens; at most 100 characters. */
  bundleId: bundleId.nullish(),
});
/** Details of an iOS application. A field is null if it is not set. */
export interface AppleInfo extends z.infer<typeof appleInfo> {}

// createApplication requires more fields than updateApplication.
export const appleInfoCreate = appleInfo.extend({
  /** Name of the application, at most 50 characters. */
  appName,
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme,
  /** Bundle identifier, two or more dot-separated segments of letters, digits and hyphens; at most 100 characters. */
  bundleId,
});
/** Details of a new iOS application: `appName`, `appScheme` and `bundleId` are required. */
export interface AppleInfoCreate extends z.infer<typeof appleInfoCreate> {}

const androidScheme = z.string().max(500);
const appPackageName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/)
  .meta({ meaning: `${SEGMENTS}, each a letter followed by letters, digits or underscores` });

/** In upper case: letter case does not tell fingerprints apart. */
const fingerprint = z
  .string()
  .max(100)
  .regex(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$/)
  .toUpperCase()
  .meta({ meaning: "32 pairs of hex digits separated by colons" });

export const androidInfo = z.strictObject({
  /** Name of the application, at most 50 characters. */
  appName: appName.nullish(),
  /**
   * Package name, two or more dot-separated segments, each a letter followed by letters, digits or underscores; at
   * most 100 characters.
   */
  appPackageName: appPackageName.nullish(),
  /** URL scheme that opens the application, at most 500 characters. */
  appScheme: androidScheme.nullish(),
  /** SHA-256 fingerprints of the signing certificates: 1 to 10, each 32 pairs of hex digits separated by colons. */
  sha256Fingerprints: z.array(fingerprint).min(1).max(10).nullish(),
});
/** Details of an Android application. A field is null if it is not set. */
export interface AndroidInfo extends z.infer<typeof androidInfo> {}

// createApplication requires more fields than updateApplication.
export const androidInfoCreate = androidInfo.extend({
  /** Name of the application, at most 50 characters. */
  appName,
  /**
   * Package name, two or more dot-separated segments, each a letter followed by letters, digits or underscores; at
   * most 100 characters.
   */
  appPackageName,
  /** URL scheme that opens the application, at most 500 characters. */
  appScheme: androidScheme,
});
/** Details of a new Android application: `appName`, `appScheme` and `appPackageName` are required. */
export interface AndroidInfoCreate extends z.infer<typeof androidInfoCreate> {}

export const application = z.object({
  /** UUID of the application, in lower case. */
  id: uuid,
  /** UUID of the project that owns the application, in lower case. */
  projectId: uuid,
  /** The platform. The service may add others. */
  appType: orOther(appType),
  /** Details of the iOS application; null on other platforms. */
  appleInfo: (appleInfo as z.ZodType<AppleInfo>).nullable(),
  /** Details of the Android application; null on other platforms. */
  androidInfo: (androidInfo as z.ZodType<AndroidInfo>).nullable(),
  /** When the application was created, as an ISO 8601 date and time. */
  createdAt: dateTime,
  /** When the application was last changed, as an ISO 8601 date and time; null if never. */
  updatedAt: dateTime.nullable(),
});
/** An iOS, Android or web application of a project. */
export interface Application extends z.infer<typeof application> {}

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
export const createApplication = z.strictObject({
  appType,
  appleInfo: appleInfoCreate.optional(),
  androidInfo: androidInfoCreate.optional(),
});

export const updateApplication = z
  .strictObject({
    /** The platform. */
    appType,
    /** Details of the iOS application; null clears them. */
    appleInfo: (appleInfo as z.ZodType<AppleInfo>).nullable(),
    /** Details of the Android application; null clears them. */
    androidInfo: (androidInfo as z.ZodType<AndroidInfo>).nullable(),
  })
  .partial();
/** The request body that updates an application: at least one field. */
export interface UpdateApplication extends z.infer<typeof updateApplication> {}
