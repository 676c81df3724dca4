/** The class by which a program declares an application. */
import type * as pulumi from "@pulumi/pulumi";
import type { AndroidInfoCreate, AppleInfoCreate } from "../provider/client";
import {
  type ApplicationInputs,
  type ApplicationOutputs,
  applicationDescription,
} from "../provider/resources/application";
import { resourceClass } from "./resource";
import type { Args, DeepInput } from "./types";

interface ApplicationPlace extends Args<Pick<ApplicationInputs, "projectId">> {}

/** What a program declares of an iOS {@link Application}. */
export interface IosApplicationArgs extends ApplicationPlace {
  /** Platform: `"IOS"`. It changes in place. */
  appType: pulumi.Input<"IOS">;
  /** The iOS application: `appName`, `appScheme` and `bundleId` at least. */
  appleInfo: DeepInput<AppleInfoCreate>;
  /** Not allowed on this platform. */
  androidInfo?: null | undefined;
}

/** What a program declares of an Android {@link Application}. */
export interface AndroidApplicationArgs extends ApplicationPlace {
  /** Platform: `"ANDROID"`. It changes in place. */
  appType: pulumi.Input<"ANDROID">;
  /** The Android application: `appName`, `appScheme` and `appPackageName` at least. */
  androidInfo: DeepInput<AndroidInfoCreate>;
  /** Not allowed on this platform. */
  appleInfo?: null | undefined;
}

/** What a program declares of a web {@link Application}. */
export interface WebApplicationArgs extends ApplicationPlace {
  /** Platform: `"WEB"`. It changes in place. */
  appType: pulumi.Input<"WEB">;
  /** Not allowed on this platform. */
  appleInfo?: null | undefined;
  /** Not allowed on this platform. */
  androidInfo?: null | undefined;
}

/** What a program declares of an {@link Application}: one of three platforms. */
export type ApplicationArgs = IosApplicationArgs | AndroidApplicationArgs | WebApplicationArgs;

/**
 * An application: the iOS, Android or web application that a project's links open.
 *
 * Needs the scopes applications:read and applications:write. An update applies the fields that changed in the program
 * and clears those that are no longer declared. Any other field stays as it is, also one that was changed in the
 * console; `pulumi refresh` shows the difference when the field is declared.
 *
 * @example
 * ```typescript
 * new Application("shop-ios", {
 *   projectId: shop.id,
 *   appType: "IOS",
 *   appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
 * });
 * ```
 */
export class Application extends resourceClass<
  Application,
  ApplicationArgs,
  ApplicationInputs & ApplicationOutputs
>(applicationDescription) {}
