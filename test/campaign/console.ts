/** What users of the service's console do, and what the service does by itself. */
import type { Declaration } from "../support/stacks/declaredStack";
import type { Step } from "./plan";
import { createsObject, ORGANIZATION, pickOf, type Scene, type Thing } from "./scene";

/** An object that was created in the console, and the declaration that it is for. */
interface Created {
  readonly declaration: Declaration;
  readonly id: string;
}

/** Creates the object of a declared resource that is not in the state. */
function createForeign(scene: Scene, number: number): Created | undefined {
  const missing = scene.declarations.filter(
    ({ kind, name }) =>
      createsObject(kind) && scene.liveId({ kind, name }) === undefined && !scene.adoptions.has(name),
  );
  const declaration = pickOf(missing, number);
  const properties = declaration && scene.resolved(declaration);
  if (properties === undefined || declaration === undefined) return undefined;
  if (scene.taken(declaration.kind, properties)) return undefined;
  const { service } = scene;
  const { projectId, ...rest } = properties as { projectId: string };
  const { id } =
    declaration.kind === "Project"
      ? service.createProject(ORGANIZATION, properties as never)
      : declaration.kind === "Application"
        ? service.createApplication(projectId, rest as never)
        : service.createCustomDomain(projectId, rest as never);
  scene.foreign.add(id);
  return { declaration, id };
}

/** Sets a value that the program does not declare. */
function setUndeclared({ service }: Scene, { id, declaration: { kind, properties } }: Created): void {
  if (kind === "Project" && !("defaultHookupMsg" in properties))
    service.updateProject(id, { defaultHookupMsg: "Written in the console" });
  const { appleInfo } = properties as { appleInfo?: object };
  if (kind === "Application" && appleInfo !== undefined && !("appStoreId" in appleInfo))
    service.updateApplication(id, { appleInfo: { ...appleInfo, appStoreId: "1234567890" } });
}

/** Creates the object of a declared resource, which the program then adopts. */
export function createToAdopt(
  scene: Scene,
  { pick, extra }: Pick<Extract<Step, { do: "adopt" }>, "pick" | "extra">,
): void {
  const created = createForeign(scene, pick);
  if (created === undefined) return;
  const { id, declaration } = created;
  scene.adoptions.set(declaration.name, id);
  const { properties } = declaration;
  if (extra === "difference" && declaration.kind === "Project")
    scene.service.updateProject(id, { name: `Other than ${String(properties.name)}` });
  if (extra === "more") setUndeclared(scene, created);
  const { appleInfo, androidInfo } = properties as { appleInfo?: object; androidInfo?: object };
  const apple = extra === "difference" ? { appScheme: "other" } : { appStoreId: "284882215" };
  const android = extra === "difference" ? { appScheme: "other" } : { sha256Fingerprints: [FINGERPRINT] };
  if (extra !== "nothing" && appleInfo !== undefined)
    scene.service.updateApplication(id, { appleInfo: { ...appleInfo, ...apple } });
  if (extra !== "nothing" && androidInfo !== undefined)
    scene.service.updateApplication(id, { androidInfo: { ...androidInfo, ...android } });
}

const FINGERPRINT = Array.from({ length: 32 }, () => "AB").join(":");

/** Creates an object that no program declares: a project, or an object in a project of the stack. */
export function createManually(scene: Scene, { of, pick }: Extract<Step, { do: "createManually" }>): void {
  const { service } = scene;
  const name = `theirs ${scene.foreign.size}`;
  const project = pickOf(
    scene.managed().filter(({ kind }) => kind === "Project"),
    pick,
  );
  if (of !== "Project" && project === undefined) return;
  const { id } =
    of === "Project"
      ? service.createProject(ORGANIZATION, { name })
      : of === "Application"
        ? service.createApplication(String(project?.id), { appType: "WEB" })
        : service.createCustomDomain(String(project?.id), {
            hostname: `${name.replace(" ", "")}.shop.example`,
          });
  scene.foreign.add(id);
}

/** Deletes an object. */
export function deleteManually({ service }: Scene, thing: Thing | undefined): void {
  if (thing === undefined) return;
  if (thing.kind === "Project") service.deleteProject(thing.id);
  else if (thing.kind === "Application") service.deleteApplication(thing.id);
  else service.deleteCustomDomain(thing.id);
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

/** Gives a project or application the declared values, except for its project. */
export function setManually(
  { service }: Scene,
  thing: Thing | undefined,
  declared: Readonly<Record<string, unknown>>,
): void {
  const { projectId: _, ...values } = declared;
  if (thing?.kind === "Project") service.updateProject(thing.id, values);
  if (thing?.kind === "Application")
    service.updateApplication(thing.id, { appleInfo: null, androidInfo: null, ...values });
}

/** Creates a link on a custom domain of the stack, else on the default domain of a project. */
export function createLink(scene: Scene, { pick, domain }: Extract<Step, { do: "link" }>): void {
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
