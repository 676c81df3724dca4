/** The platforms as constants, which code that Pulumi generates refers to. */
import type { AppType as Platform } from "../../provider/client";

/** The platforms of an application. The words themselves are allowed as well, such as `"IOS"`. */
// biome-ignore lint/style/useNamingConvention: Pulumi names a value after its type.
export const AppType: { readonly [Name in Platform]: Name } = { IOS: "IOS", ANDROID: "ANDROID", WEB: "WEB" };
/** The platform of an application. */
export type AppType = Platform;
