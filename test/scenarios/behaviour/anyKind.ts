/** The lifecycle that resources of every kind have, from its examples: on one stack, and its adoption on another one. */
import { existsInService } from "../../../provider/lifecycle/creates";
import { CHANGED_PROPERTY, CREATED_PROPERTY } from "../../../provider/lifecycle/hiddenProperties";
import { DESCRIPTIONS } from "../../../provider/resources";
import type { Emulator } from "../../../testing/emulator";
import {
  type Declaration,
  type DeclaredStack,
  errorOf,
  isIdOf,
  type Kind,
  type Outcome,
} from "../../support/stacks/declaredStack";
import { writesIn } from "../../support/stacks/scenarios";
import { examplesOf, type ResourceExamples } from "../../support/values/resourceExamples";

/** The changes of a command that has succeeded, without the resources that stay the same. */
export function changesOf({ failed, diagnostics, changes }: Outcome) {
  if (failed) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const { same: _, ...others } = changes;
  return others;
}

/** Neither a preview nor a refresh finds a change. */
export async function expectSettled(stack: DeclaredStack, declarations: readonly Declaration[]) {
  expect(changesOf(await stack.preview(declarations))).toEqual({});
  // A refresh saves the time of the last change even if it finds none of the values changed, and no creation that is old.
  const visible = () =>
    stack.resources.map(({ inputs, outputs = {} }) => {
      const { [CHANGED_PROPERTY]: _changed, [CREATED_PROPERTY]: _created, ...others } = outputs;
      return { inputs, outputs: others };
    });
  const before = visible();
  expect(changesOf(await stack.refresh())).toEqual({});
  expect(visible()).toEqual(before);
}

/** Creates, changes, refuses, adopts and deletes resources of a kind. */
export async function expectLifecycle(
  { service, newStack }: { readonly service: Emulator; newStack(): DeclaredStack },
  kind: Kind,
  { valid, changes, invalid, failure }: ResourceExamples<object>,
): Promise<void> {
  const stack = newStack();
  const up = async (...declared: readonly Declaration[]) => changesOf(await stack.up(declared));
  const [second] = examplesOf(kind, valid[1]).slice(-1) as [Declaration];
  const other = { ...second, name: "second" };
  // What is set for a project that exists stays.
  const objects = () => ({
    ...service.state,
    projects: service.state.projects.map(({ skin: _skin, ...project }) => project),
  });
  const before = objects();
  let declared = [...examplesOf(kind, valid[0]), other];
  expect(await up(...declared)).toEqual({ create: declared.length + 1 });
  await expectSettled(stack, declared);
  for (const { to, is } of changes) {
    declared = [...examplesOf(kind, to), other];
    expect(await up(...declared)).toEqual({ [is]: 1 });
    await expectSettled(stack, declared);
  }

  service.clearRequests();
  expect(errorOf(await stack.up(examplesOf(kind, invalid)))).toContain(failure);
  if (existsInService(DESCRIPTIONS[kind])) {
    const adopting = adoptionOf(stack, declared.at(-2) as Declaration);
    const elsewhere = newStack();
    changesOf(await elsewhere.up([adopting]));
    expect(changesOf(await elsewhere.preview([adopting]))).toEqual({});
    // Without the option, nothing is written either.
    const { adopt: _adopt, ...declaredOnly } = adopting;
    changesOf(await elsewhere.up([declaredOnly]));
    await expectSettled(elsewhere, [declaredOnly]);
  }
  expect(writesIn(service)).toEqual([]);

  changesOf(await stack.destroy());
  expect(objects()).toEqual(before);
}

function adoptionOf(stack: DeclaredStack, declaration: Declaration): Declaration {
  const { id = "", outputs = {} } =
    stack.resources.find(({ urn }) => urn.endsWith(`::${declaration.name}`)) ?? {};
  const ids = Object.entries(declaration.properties)
    .filter(([, value]) => isIdOf(value))
    .map(([name]) => [name, outputs[name] as string]);
  return { ...declaration, properties: { ...declaration.properties, ...Object.fromEntries(ids) }, adopt: id };
}
