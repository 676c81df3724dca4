/** The name that people know an object of the service by. */
import type { Reading } from "../../provider/lifecycle/operations";
import type { KindName } from "./kinds";

/** The name of a project, the hostname of a custom domain, or the platform and name of an application. */
export function objectName({
  kind,
  reading: { inputs },
}: {
  readonly kind: KindName;
  readonly reading: Pick<Reading, "inputs">;
}): string {
  if (kind === "project") return String(inputs.name);
  if (kind === "customDomain") return String(inputs.hostname);
  const { appType, appleInfo, androidInfo } = inputs;
  const { appName = "" } = (appleInfo ?? androidInfo ?? {}) as { readonly appName?: string };
  return `${appType} ${appName}`.trim();
}
