/** The iOS, Android and web applications of a project. */
import { z } from "zod";
import { identity, lastChangeIfAny, nullable, orOther, pattern, uuid } from "./formats";

export const appType = z.enum(["IOS", "ANDROID", "WEB"]);
/** The platform of an application. */
export type AppType = z.infer<typeof appType>;

const SEGMENTS = "two or more dot-separated segments";
const OF_WORDS = `${SEGMENTS} of letters, digits and hyphens`;

const apple = {
  /** Name of the application, at most 50 characters. */
  appName: z.string().max(50),
  /** Identifier in the App Store, at most 100 characters. */
  appStoreId: z.string().max(100),
  /** URL scheme that opens the application, at most 50 characters. */
  appScheme: z.string().max(50),
  /** Prefix and bundle identifier joined by a dot, as in `A1B2C3D4E5.example.app`; at most 100 characters. */
  appId: pattern(
    /^[A-Z0-9]{10}(\.[A-Za-z0-9-]+){2,}$/,
    `10 uppercase letters or digits, a dot, then ${OF_WORDS}`,
  ).max(100),
  /** Exactly 10 uppercase letters or digits. */
  appIdPrefix: pattern(/^[A-Z0-9]{10}$/, "exactly 10 uppercase letters or digits"),
  /** Bundle identifier, two or more dot-separated segments of letters, digits and hyphens; at most 100 characters. */
  bundleId: pattern(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, OF_WORDS).max(100),
};

export const appleInfo = nullable(apple);
/** Details of an iOS application. A field is null if it is not set. */
export interface AppleInfo extends z.infer<typeof appleInfo> {}

const requiredApple = z.object(apple).pick({ appName: true, appScheme: true, bundleId: true });
export const appleInfoCreate = appleInfo.extend(requiredApple.shape);
/** Details of a new iOS application: `appName`, `appScheme` and `bundleId` are required. */
export interface AppleInfoCreate extends z.infer<typeof appleInfoCreate> {}

const android = {
  /** Name of the application, at most 50 characters. */
  appName: z.string().max(50),
  /**
   * Package name, two or more dot-separated segments, each a letter followed by letters, digits or underscores; at
   * most 100 characters.
   */
  appPackageName: pattern(
    /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/,
    `${SEGMENTS}, each a letter followed by letters, digits or underscores`,
  ).max(100),
  /** URL scheme that opens the application, at most 500 characters. */
  appScheme: z.string().max(500),
  /** SHA-256 fingerprints of the signing certificates: 1 to 10, each 32 pairs of hex digits separated by colons. */
  sha256Fingerprints: z
    // In upper case: letter case does not tell fingerprints apart.
    .array(
      pattern(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$/, "32 pairs of hex digits separated by colons")
        .max(100)
        .toUpperCase(),
    )
    .min(1)
    .max(10),
};

export const androidInfo = nullable(android);
/** Details of an Android application. A field is null if it is not set. */
export interface AndroidInfo extends z.infer<typeof androidInfo> {}

const requiredAndroid = z.object(android).pick({ appName: true, appPackageName: true, appScheme: true });
export const androidInfoCreate = androidInfo.extend(requiredAndroid.shape);
/** Details of a new Android application: `appName`, `appScheme` and `appPackageName` are required. */
export interface AndroidInfoCreate extends z.infer<typeof androidInfoCreate> {}

const infos = {
  /** Details of the iOS application; null on other platforms. */
  appleInfo: (appleInfo as z.ZodType<AppleInfo>).nullable(),
  /** Details of the Android application; null on other platforms. */
  androidInfo: (androidInfo as z.ZodType<AndroidInfo>).nullable(),
};

export const application = z.object({
  ...identity,
  /** UUID of the project that owns the application, in lower case. */
  projectId: uuid,
  /** The platform. The service may add others. */
  appType: orOther(appType),
  ...infos,
  ...lastChangeIfAny,
});
/** An iOS, Android or web application of a project. */
export interface Application extends z.infer<typeof application> {}

export const createApplication = z.discriminatedUnion("appType", [
  z.strictObject({ appType: z.literal("IOS"), appleInfo: appleInfoCreate as z.ZodType<AppleInfoCreate> }),
  z.strictObject({
    appType: z.literal("ANDROID"),
    androidInfo: androidInfoCreate as z.ZodType<AndroidInfoCreate>,
  }),
  z.strictObject({ appType: z.literal("WEB") }),
]);
/** The request body that creates an application: one variant for each platform. */
export type CreateApplication = z.infer<typeof createApplication>;

export const updateApplication = z.strictObject({ ...infos, appType }).partial();
/** The request body that updates an application: at least one field. Null clears the details of a platform. */
export interface UpdateApplication extends z.infer<typeof updateApplication> {}
