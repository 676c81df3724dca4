/**
 * What an example declares. The source of every example is TypeScript, in doc comments and README.md. It runs here with
 * recorders in place of the package, so that the other languages can show the same declarations. `pulumi convert` would need the
 * CLI and all language hosts in every build.
 */
import packageJson from "../../package.json";
import { PACKAGE_NAME } from "../../provider/hosts/hosts";
import { EVERY_DESCRIPTION } from "../../provider/resources";
import { FUNCTIONS } from "../../provider/resources/functions";
import { uncapitalized } from "../../provider/values/phrases";

/** What a statement has created or read, or a property of it. */
export class Reference {
  constructor(
    readonly to: Statement,
    readonly property?: string,
  ) {}

  /** As programs in YAML refer to it. */
  toJSON(): string {
    const { kind, name } = this.to;
    const path = [kind === "setting" ? `${PACKAGE_NAME}:${name}` : name, this.property ?? []].flat();
    return `\${${path.join(".")}}`;
  }
}

export type Value = string | Reference | Values;
export interface Values {
  readonly [name: string]: Value;
}

/** A resource, a call of a function, a setting of the stack, or an output. */
export interface Statement {
  readonly kind: "resource" | "function" | "setting" | "output";
  /** The class or the function. */
  readonly type: string;
  /** The name of the resource, of the setting or of the output. For a function, that of its variable. */
  readonly name: string;
  readonly values?: Values;
  readonly provider?: Reference;
  readonly value?: Reference;
}

const CLASSES = ["Provider", ...EVERY_DESCRIPTION.map(({ type }) => type)];

/** What a program imports from the package. */
const EXPORTS = [...CLASSES, ...Object.keys(FUNCTIONS).flatMap((name) => [name, `${name}Output`])];

/** The whole program: doc comments lack the imports, because the classes of both hosts share them. */
export function completed(example: string): string {
  const names = EXPORTS.filter((name) => new RegExp(`\\b${name}\\(`).test(example)).sort();
  const sdk = example.includes("pulumi.") ? 'import * as pulumi from "@pulumi/pulumi";\n' : "";
  return `${sdk}import { ${names.join(", ")} } from "${packageJson.name}";\n\n${example}`;
}

export function statementsOf(program: string): readonly Statement[] {
  const statements: Statement[] = [];
  function recorded(statement: Statement): object {
    statements.push(statement);
    const get = (to: object, name: string) =>
      name in to ? Reflect.get(to, name) : new Reference(statement, name);
    return new Proxy(new Reference(statement), { get });
  }
  const resources = CLASSES.map((type) => [
    type,
    // Called with `new`, so it cannot be an arrow function.
    function create(name: string, values: Values, options: { readonly provider?: Reference } = {}) {
      return recorded({ kind: "resource", type, name, values, ...options });
    },
  ]);
  const functions = Object.keys(FUNCTIONS).map((type) => [
    `${type}Output`,
    (values: Values = {}) =>
      recorded({ kind: "function", type, name: uncapitalized(type.slice("get".length)), values }),
  ]);
  class Config {
    require(name: string): object {
      return recorded({ kind: "setting", type: "Config", name });
    }
  }
  const scope = {
    ...Object.fromEntries([...resources, ...functions]),
    pulumi: { Config },
    output: (name: string, value: Reference) => recorded({ kind: "output", type: "output", name, value }),
  };
  const code = program
    .replace(/^import .*$/gm, "")
    .replace(/^export const (\w+) = (.+);$/gm, 'output("$1", $2);');
  new Function(...Object.keys(scope), code)(...Object.values(scope));
  return statements;
}
