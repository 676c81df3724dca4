/** What users of the service's console do, and what the service does by itself. */
import { ORGANIZATION } from "../support/values/organizations";
import { fingerprintOf } from "../support/values/resourceExamples";
import type { StepOf } from "./plan";
import { createsObject, pickOf, type Scene, type Thing } from "./scene";

function create(scene: Scene, kind: Thing["kind"], { projectId, ...values }: Thing["properties"]): string {
  const parent = kind === "Project" ? ORGANIZATION : String(projectId);
  const { id } = scene.service[`create${kind}`](parent, values as never);
  scene.foreign.add(id);
  return id;
}

/** Creates the object of a declared resource that is not in the state, which the program then adopts. */
export function createToAdopt(scene: Scene, { pick, change }: StepOf<"adopt">): void {
  const { adoptions } = scene;
  const missing = scene.declarations.filter(
    ({ kind, name }) =>
      createsObject(kind) && scene.liveId({ kind, name }) === undefined && !adoptions.has(name),
  );
  const declaration = pickOf(missing, pick);
  const properties = declaration && scene.resolved(declaration);
  if (properties === undefined || declaration === undefined) return;
  const { kind, name } = declaration;
  if (scene.taken(kind, properties)) return;
  const id = create(scene, kind as Thing["kind"], properties);
  adoptions.set(name, id);
  if (change !== null) changeManually(scene, scene.thing(id), change);
}

const FINGERPRINT = fingerprintOf("AB");

/** Creates an object that no program declares: a project, or an object in a project of the stack. */
export function createManually(scene: Scene, { of, pick }: StepOf<"createManually">): void {
  const number = scene.foreign.size;
  const projects = scene.managed().filter(({ kind }) => kind === "Project");
  const projectId = pickOf(projects, pick)?.id;
  const values = {
    Project: { name: `theirs ${number}` },
    Application: { projectId, appType: "WEB" },
    CustomDomain: { projectId, hostname: `theirs${number}.shop.example` },
  };
  if (of === "Project" || projectId !== undefined) create(scene, of, values[of]);
}

export function deleteManually({ service }: Scene, thing: Thing | undefined): void {
  if (thing !== undefined) service[`delete${thing.kind}`](thing.id);
}

/** Changes a value of an object: with an even number one that programs declare, else one that they do not declare. */
export function changeManually(scene: Scene, thing: Thing | undefined, number: number): void {
  if (thing === undefined) return;
  const { service } = scene;
  const { appleInfo, androidInfo } = thing.properties;
  const isDeclared = number % 2 === 0;
  scene.edits += 1;
  const appScheme = `changed${scene.edits}`;
  if (thing.kind === "Project")
    service.updateProject(thing.id, { defaultHookupMsg: `Changed ${scene.edits}` });
  if (appleInfo != null) {
    const change = isDeclared ? { appScheme } : { appStoreId: String(1000 + scene.edits) };
    service.updateApplication(thing.id, { appleInfo: { ...appleInfo, ...change } });
  }
  if (androidInfo != null) {
    const fingerprint = FINGERPRINT.replace("AB", String(10 + (scene.edits % 90)));
    const change = isDeclared ? { appScheme } : { sha256Fingerprints: [fingerprint] };
    service.updateApplication(thing.id, { androidInfo: { ...androidInfo, ...change } });
  }
}

/** Creates a link on a custom domain of the stack, else on the default domain of a project. */
export function createLink(scene: Scene, { pick, domain }: StepOf<"link">): void {
  const kind = domain ? "CustomDomain" : "Project";
  const thing = pickOf(
    scene.managed().filter((one) => one.kind === kind && one.properties.lifecycleStatus !== "DELETING"),
    pick,
  );
  if (thing === undefined) return;
  const projectId = domain ? String(thing.properties.projectId) : thing.id;
  scene.service.createLink(projectId, {
    name: "Spring",
    url: "https://shop.example/spring",
    ...(domain && { customDomainId: thing.id }),
  });
}
