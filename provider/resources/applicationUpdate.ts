/** The update of an application. A service may merge an info or replace it, so it is sent whole: as read, with the declared values. */
import type { AndroidInfo, AppleInfo, Application, AppType, UpdateApplication } from "../client";
import { appleInfo } from "../client/model/application";
import { UserError } from "../errors";
import type { Change } from "../lifecycle/description";
import { type Properties, withoutNulls } from "../lifecycle/properties";
import { type Age, changedOutside } from "../lifecycle/version";

/** The input with the details of each platform. */
const INFO_OF = { IOS: "appleInfo", ANDROID: "androidInfo", WEB: undefined } as const;

/** A change of the inputs, as far as an update sends them. */
interface ApplicationChange extends Pick<Change, "state"> {
  readonly inputs: UpdateApplication & { readonly appType: AppType };
  readonly changed: readonly string[];
}

export interface ApplicationUpdate {
  readonly body: UpdateApplication;
  /** The paths of the declared values that have not changed, and that it sends in place of what the read returned. */
  readonly alsoSent: readonly string[];
}

/**
 * The update that applies a change.
 *
 * @param current a read that is not older than the state.
 * @param age of the read, compared with the state. Only a newer one shows what was changed outside Pulumi: another one may
 * lag, so declared values are sent as they are declared.
 * @throws UserError if the read has another platform.
 */
export function applicationUpdate(
  { inputs, changed, state }: ApplicationChange,
  current: Application,
  age: Age,
): ApplicationUpdate {
  const { appType } = inputs;
  const name = INFO_OF[appType];
  // A new platform is sent together with its info, and clears the info of the previous platform.
  const isNewPlatform = changed.includes("appType");
  // Without an info, there is nothing to keep.
  if (name === undefined || inputs[name] == null)
    return { body: { appType, appleInfo: null, androidInfo: null }, alsoSent: [] };
  if (!isNewPlatform && appType !== current.appType) {
    throw new UserError(
      `The service returns the appType ${current.appType} for application ${current.id}, not ${appType} as declared, so ${changed.join(", ")} cannot be updated. Run \`pulumi refresh\`, then \`pulumi up\`.`,
    );
  }
  const declared = { ...inputs[name] } as Properties;
  const isChanged = (field: string) => changed.some((path) => path === name || path === `${name}.${field}`);
  const leftUnchanged = changedOutside(state);
  const alsoSent = Object.keys(declared)
    .filter((field) => age !== "newer" && !isChanged(field))
    .map((field) => `${name}.${field}`)
    .filter((path) => !leftUnchanged.includes(path));
  const removed = changed
    .filter((path) => path.startsWith(`${name}.`))
    .map((path) => [path.slice(`${name}.`.length), null]);
  const applied = Object.entries(declared).filter(
    ([field]) => isChanged(field) || alsoSent.includes(`${name}.${field}`),
  );
  // What the read lacks is left out: as null, it would clear a value that was set since.
  const before = withoutNulls((current[name] ?? {}) as Properties);
  const overlaid = { ...before, ...Object.fromEntries([...removed, ...applied]) };
  const info = withDerivedAppId(before, overlaid, declared) as AppleInfo & AndroidInfo;
  const body = isNewPlatform
    ? { appType, appleInfo: null, androidInfo: null, [name]: info }
    : { [name]: info };
  return { body, alsoSent };
}

/** Updates an appId that the service derived from prefix and bundle, so that it does not contradict the new ones. */
function withDerivedAppId(before: Properties, after: Properties, declared: Properties): Properties {
  const derived = before.appId != null && before.appId === `${before.appIdPrefix}.${before.bundleId}`;
  if (!derived || "appId" in declared) return after;
  const appId = `${after.appIdPrefix}.${after.bundleId}`;
  const isAllowed = after.appIdPrefix != null && appleInfo.shape.appId.safeParse(appId).success;
  return { ...after, appId: isAllowed ? appId : null };
}
