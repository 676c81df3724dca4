/** The `Application` class and its arguments. */
import type * as pulumi from "@pulumi/pulumi";
import type { AndroidInfoCreate, AppleInfoCreate } from "../../provider/client";
import type { ApplicationInputs, ApplicationOutputs } from "../../provider/resources/application";
import { resourceClass } from "../dynamicResource";
import type { Args, DeepInput } from "../types";

interface ApplicationPlace extends Args<Pick<ApplicationInputs, "projectId">> {}

/** The details of an application. What a new one requires can be null in one that exists. */
type Details<Info> = { [Name in keyof Info]: Info[Name] | null };

/** Arguments of an iOS {@link Application}. */
export interface IosApplicationArgs<Platform = pulumi.Input<"IOS">> extends ApplicationPlace {
  /** Platform: `"IOS"`. It can be changed in place. */
  appType: Platform;
  /** The iOS application. A new one requires `appName`, `appScheme` and `bundleId`. They can be null in an existing one. */
  appleInfo: DeepInput<Details<AppleInfoCreate> | null>;
  /** Not allowed on this platform. */
  androidInfo?: null | undefined;
}

/** Arguments of an Android {@link Application}. */
export interface AndroidApplicationArgs<Platform = pulumi.Input<"ANDROID">> extends ApplicationPlace {
  /** Platform: `"ANDROID"`. It can be changed in place. */
  appType: Platform;
  /**
   * The Android application. A new one requires `appName`, `appScheme` and `appPackageName`. They can be null in an
   * existing one.
   */
  androidInfo: DeepInput<Details<AndroidInfoCreate> | null>;
  /** Not allowed on this platform. */
  appleInfo?: null | undefined;
}

/** Arguments of a web {@link Application}. */
export interface WebApplicationArgs<Platform = pulumi.Input<"WEB">> extends ApplicationPlace {
  /** Platform: `"WEB"`. It can be changed in place. */
  appType: Platform;
  /** Not allowed on this platform. */
  appleInfo?: null | undefined;
  /** Not allowed on this platform. */
  androidInfo?: null | undefined;
}

/** A platform that is known only when the program runs. */
type Later<Platform> = Promise<Platform> | pulumi.OutputInstance<Platform>;

/**
 * Arguments of an {@link Application} on one of the three platforms. The compiler selects the platform by `appType`, so
 * its errors are about that platform. It can do so only if the type of `appType` is a text in some of the variants.
 */
export type ApplicationArgs =
  | IosApplicationArgs<"IOS">
  | AndroidApplicationArgs<"ANDROID">
  | WebApplicationArgs<"WEB">
  | IosApplicationArgs<Later<"IOS">>
  | AndroidApplicationArgs<Later<"ANDROID">>
  | WebApplicationArgs<Later<"WEB">>;

/**
 * An iOS, Android or web application that the links of a project open.
 *
 * Needs the scopes applications:read and applications:write. An update applies the fields that changed in the program
 * and clears those that are no longer declared. All other fields are left unchanged, including those that were changed
 * in the console. For declared fields, `pulumi refresh` shows the difference.
 *
 * The service may replace `appleInfo` and `androidInfo` as a whole, so an update sends what it has just read as well. A
 * change that someone makes in the console at the same time can therefore be lost; see
 * [changes in the console during an update](../properties.md#changes-in-the-console-during-an-update).
 *
 * It is not documented what happens to the links that open an application when it is deleted. The service may refuse the
 * deletion, so that the application stays in the state. Or it may remove the application from these links, which then no
 * longer open it. Before you delete or move an application, check in the console whether links open it.
 *
 * @example
 * ```typescript
 * const shop = new Project("shop", { name: "Shop" });
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
>("Application") {}
