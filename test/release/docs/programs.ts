/** The TypeScript blocks of the documents as whole programs. */
import { FUNCTIONS } from "../../../provider/hosts/plugin/pluginFunctions";
import { DESCRIPTIONS } from "../../../provider/resources";
import type { CodeBlock } from "./codeBlocks";

/** The resource classes of the package. */
export const classes = Object.keys(DESCRIPTIONS) as (keyof typeof DESCRIPTIONS)[];

/** The functions of the package. */
export const functions: readonly string[] = Object.keys(FUNCTIONS).flatMap((name) => [name, `${name}Output`]);

/** The imports that the surrounding text gives a block without imports. */
export const IMPORTS: string = `import * as pulumi from "@pulumi/pulumi";
import { ${[...classes, ...functions, "Provider"].join(", ")} } from "pulumi-dynamiclink";`;

/** The resources that the surrounding text gives a block that uses them without declaring them. */
const GIVEN: readonly [name: string, declaration: string][] = [
  ["shop", 'const shop = new Project("given-shop", { name: "Shop" });'],
  [
    "links",
    'const links = new CustomDomain("given-links", { projectId: shop.id, hostname: "links.shop.example" });',
  ],
];

/** A block with the imports and declarations that the surrounding text gives. */
export function completed({ text }: CodeBlock): string {
  if (/^import /m.test(text)) return text;
  let whole = text;
  for (const [name, declaration] of GIVEN.toReversed()) {
    const used = new RegExp(`\\b${name}\\.`).test(whole);
    if (used && !new RegExp(`const ${name}\\b`).test(whole)) whole = `${declaration}\n${whole}`;
  }
  return `${IMPORTS}\n${whole}`;
}
