/** URNs: `urn:pulumi:<stack>::<project>::<types of the parents and of the resource>::<logical name>`. */

export interface Urn {
  readonly stack: string;
  readonly project: string;
  /** The type of the resource, after those of the components that it is in. */
  readonly path: string;
  readonly type: string;
  /** The logical name, which may contain any text. */
  readonly name: string;
}

const PREFIX = "urn:pulumi:";

/** The type of the resource of a stack, the root of all others. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

/** Parses a URN. The parts that a text does not have are empty. */
export function parseUrn(urn: string): Urn {
  const [stack = "", project = "", path = "", ...name] = urn.split("::");
  return {
    stack: isUrn(stack) ? stack.slice(PREFIX.length) : stack,
    project,
    path,
    type: path.replace(/^.*\$/, ""),
    name: name.join("::"),
  };
}

/** Project and stack, such as `shop/production`. */
export function stackName({ project, stack }: Urn): string {
  return `${project}/${stack}`;
}

/** Whether a text is a URN and not a name. */
export function isUrn(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function nameInUrn(urn: string): string {
  return parseUrn(urn).name;
}

/** The type in a URN, without those of its parents. */
export function typeOf(urn: string): string {
  return parseUrn(urn).type;
}

export function isProviderType(type: string): boolean {
  return type.startsWith("pulumi:providers:");
}

/** Whether a provider is one that Pulumi creates for the resources without an explicit one. */
export function isDefaultProvider(urn: string): boolean {
  return nameInUrn(urn).startsWith("default");
}
