/** The steps of a sequence: what the user, the console and the key's owner do. */
import type { Declaration } from "../support/stacks/declaredStack";
import { runCommand } from "./command";
import { changeManually, createLink, createManually, createToAdopt, deleteManually } from "./console";
import { type Disruption, OTHER_KEY } from "./disruptions";
import { BrokenRule } from "./oracle";
import type { Step, StepOf } from "./plan";
import { declarationsOf } from "./program";
import { createsObject, pickOf, type Scene } from "./scene";

/** @throws BrokenRule */
export async function performStep(scene: Scene, step: Step): Promise<void> {
  const perform: (scene: Scene, step: never) => unknown = STEPS[step.do];
  await perform(scene, step as never);
}

const STEPS: { readonly [Name in Step["do"]]: (scene: Scene, step: StepOf<Name>) => unknown } = {
  up: (scene, { disruption }) => up(scene, disruption),
  replace,
  refresh: (scene, { disruption }) => runCommand(scene, { do: "refresh" }, disruption),
  destroy: (scene, { disruption }) => runCommand(scene, { do: "destroy" }, disruption),
  program(scene, { plan }) {
    scene.declarations = declarationsOf(plan);
  },
  edit,
  move,
  moveByImport,
  adopt: createToAdopt,
  deleteManually: (scene, { pick }) => deleteManually(scene, pickOf(scene.managed(), pick)),
  changeManually: (scene, { pick }) => changeManually(scene, pickOf(scene.managed(), pick), pick),
  createManually,
  link: createLink,
  revokeKey: (scene) => scene.service.revokeKey(scene.ownKey()),
  replaceKey: (scene) => scene.replaceKey(),
  otherOrganization(scene) {
    scene.environmentKey = OTHER_KEY;
  },
  ownOrganization(scene) {
    scene.environmentKey = scene.ownKey();
  },
};

/** Runs the program; with the key of another organization, only previews it, which must fail. */
async function up(scene: Scene, disruption: readonly Disruption[], replace?: string): Promise<void> {
  const program = scene.program();
  const options = replace === undefined ? {} : { replace: [replace] };
  if (scene.environmentKey !== OTHER_KEY) {
    await runCommand(scene, { do: "up", program, options }, disruption);
    return;
  }
  // Without a declared resource in the state, any organization is valid.
  if (scene.liveDeclarations().length === 0) return;
  const { failed } = await runCommand(scene, { do: "preview", program });
  if (!failed) throw new BrokenRule("loss", "a preview with another organization's key passed");
}

/** Forces the replacement of a declared resource, and optionally adopts its object in the same run. */
async function replace(scene: Scene, { pick, adopting, disruption }: StepOf<"replace">): Promise<void> {
  const one = pickOf(scene.liveDeclarations(), pick);
  if (one === undefined) return await up(scene, disruption);
  if (adopting && createsObject(one.kind)) scene.adoptions.set(one.name, scene.liveId(one) as string);
  await up(scene, disruption, scene.urn(one));
}

/** Changes values of an application, or the message of a project, and runs the program after each change. */
async function edit(scene: Scene, { pick, fields, disruption }: StepOf<"edit">): Promise<void> {
  const editable = scene.liveDeclarations().filter((one) => one.kind === "Project" || infoOf(one));
  const { name } = pickOf(editable, pick) ?? {};
  for (const field of fields) {
    const one = scene.declarations.find((each) => each.name === name);
    if (one === undefined) return;
    scene.edits += 1;
    const value = `edited${scene.edits}`;
    const info = infoOf(one);
    const change: Declaration["properties"] =
      info === undefined
        ? { defaultHookupMsg: value }
        : { [info]: { ...Object(one.properties[info]), [field]: value } };
    scene.declarations = scene.declarations.map((each) =>
      each === one ? { ...one, properties: { ...one.properties, ...change } } : each,
    );
    await up(scene, disruption);
  }
}

function infoOf({ properties }: Declaration): string | undefined {
  return ["appleInfo", "androidInfo"].find((name) => properties[name] !== undefined);
}

/** Declares a resource under another name. */
function move(scene: Scene, { pick, alias }: StepOf<"move">): void {
  const one = pickOf(scene.declarations, pick);
  if (one === undefined) return;
  const { name: old, before } = scene.placement(one.name);
  const name = old === one.name ? `${one.name}x` : one.name;
  const aliases = alias ? [...before, old] : [];
  scene.placements.set(one.name, { name, before: aliases.filter((each) => each !== name) });
}

/** Declares a resource under another name, with the option `import` in place of an alias. */
async function moveByImport(scene: Scene, { pick, disruption }: StepOf<"moveByImport">): Promise<void> {
  const one = pickOf(
    scene.liveDeclarations().filter(({ kind }) => createsObject(kind)),
    pick,
  );
  if (one === undefined) return;
  const id = scene.liveId(one) as string;
  const name = scene.placement(one.name).name === one.name ? `${one.name}m` : one.name;
  if (scene.stack.resources.some(({ urn }) => urn === scene.stack.urnOf({ kind: one.kind, name }))) return;
  scene.placements.set(one.name, { name, before: [] });
  scene.adoptions.set(one.name, id);
  await up(scene, disruption);
}
