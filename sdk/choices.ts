/** The choices of inputs as constants, which generated code uses: see docs/internals/native-host.md#generated-code. */
import type * as model from "../provider/client/model";

/** The values of `AppType`. Strings such as `"IOS"` are allowed as well. */
// biome-ignore lint/style/useNamingConvention: Pulumi names a value after its type.
export const AppType = { IOS: "IOS", ANDROID: "ANDROID", WEB: "WEB" } as const;
/** One of the values of `AppType`. */
export type AppType = model.AppType;
