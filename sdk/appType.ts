/** The platforms as constants, which the code that `pulumi import` generates uses. Both modules export them. */
import type { AppType as Platform } from "../provider/client";

/** The platforms of an application. Strings such as `"IOS"` are allowed as well. */
// biome-ignore lint/style/useNamingConvention: Pulumi names a value after its type.
export const AppType: { readonly [Name in Platform]: Name } = { IOS: "IOS", ANDROID: "ANDROID", WEB: "WEB" };
/** The platform of an application. */
export type AppType = Platform;
