/** URNs: `urn:pulumi:<stack>::<project>::<types of the parents and of the resource>::<logical name>`. */

export interface Urn {
  /** Project and stack, such as `shop/production`. */
  readonly stack: string;
  /** The type, without those of the parents. */
  readonly type: string;
  /** The logical name, which may contain any text. */
  readonly name: string;
}

/** Parses a URN. The parts that a text does not have are empty. */
export function parseUrn(urn: string): Urn {
  const [stack = "", project = "", path = "", ...name] = urn.split("::");
  return {
    stack: `${project}/${stack.replace(/^urn:pulumi:/, "")}`,
    type: path.replace(/^.*\$/, ""),
    name: name.join("::"),
  };
}
