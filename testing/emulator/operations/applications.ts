/** The operations on Applications. */
import { ServiceError } from "../wire/serviceError";
import { applicationOnWire } from "../wire/wire";
import { addApplication } from "../world/additions";
import type { Behaviour } from "../world/behaviour";
import type { AndroidInfo, AppleInfo, AppType } from "../world/entities";
import { ofProject, removeApplication, timestamp, withoutNulls } from "../world/world";
import type { Call } from "./call";
import { listableProject, listed, readable, recordChange, recordNew, writable, writableProject } from "./lag";

interface ApplicationBody {
  readonly appType?: AppType;
  readonly appleInfo?: AppleInfo | null;
  readonly androidInfo?: AndroidInfo | null;
}

export function createApplication(call: Call): object {
  const project = writableProject(call);
  const body = call.body as ApplicationBody & { appType: AppType };
  const stored = { ...body, androidInfo: storedInfo(call, body.androidInfo) };
  const application = recordNew(call.service, addApplication(call.service, project.id, stored));
  return applicationOnWire(call.service, application);
}

export function listApplications(call: Call): object {
  const { service } = call;
  const id = listableProject(call);
  const found = listed(service, "applications", ({ projectId }) => projectId === id);
  return { applications: found.map((application) => applicationOnWire(service, application)) };
}

export function getApplication(call: Call): object {
  return applicationOnWire(call.service, readable(call, "applications", call.path.application_id));
}

export function updateApplication(call: Call): object {
  const { behaviour } = call.service;
  const application = writable(call, "applications", call.path.application_id);
  const patch = call.body as ApplicationBody;
  const appType = patch.appType ?? application.appType;
  const appleInfo = patchedInfo(application.appleInfo, patch.appleInfo, behaviour);
  const androidInfo = patchedInfo(application.androidInfo, storedInfo(call, patch.androidInfo), behaviour);
  // The result must be one of the variants that can be created: with the platform's own info and no other.
  if ((appType === "IOS") !== (appleInfo !== null) || (appType === "ANDROID") !== (androidInfo !== null))
    throw new ServiceError(400, `apple_info and android_info do not fit app_type ${appType}.`);
  recordChange(call.service, application);
  Object.assign(application, { appType, appleInfo, androidInfo, updatedAt: timestamp(call.service) });
  return applicationOnWire(call.service, application);
}

export function deleteApplication(call: Call): void {
  const { world, behaviour } = call.service;
  const application = writable(call, "applications", call.path.application_id);
  const used = ofProject(world.links, application.projectId).some(
    (link) => link.appleApplicationId === application.id || link.androidApplicationId === application.id,
  );
  if (used && behaviour.deleteWithContents === "conflict")
    throw new ServiceError(409, "Application is used by a link.");
  removeApplication(call.service, application.id);
}

/** An info in the form in which the service stores it. */
function storedInfo({ service: { behaviour } }: Call, info: AndroidInfo | null | undefined) {
  const fingerprints = info?.sha256Fingerprints;
  if (!fingerprints || behaviour.storedForm === "asGiven") return info;
  return { ...info, sha256Fingerprints: fingerprints.map((one) => one.toUpperCase()).sort() };
}

function patchedInfo<Info extends object>(
  current: Info | null,
  patch: Info | null | undefined,
  { patchInfo, nullInfoField }: Behaviour,
): Info | null {
  if (patch === undefined) return current;
  if (patch === null) return null;
  // An ignored null keeps the current value.
  const kept = nullInfoField === "ignore" ? current : null;
  const keptOf = (name: string) => kept?.[name as keyof Info] ?? null;
  const values = Object.entries(patch).map(([name, value]) => [name, value ?? keptOf(name)]);
  return withoutNulls({ ...(patchInfo === "merge" ? current : null), ...Object.fromEntries(values) });
}
