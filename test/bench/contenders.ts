/** The programs that are compared: some declare the same objects in different ways, others declare none. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Declares BENCH_RESOURCES objects, with the classes of BENCH_MODULE. */
const OBJECTS = readFileSync(join(__dirname, "programs", "objects", "index.ts"), "utf8");
const PULUMI = 'import * as pulumi from "@pulumi/pulumi";';
const STACK = "export const stack = pulumi.getStack();";

/** A program of the comparison, and additional environment variables. */
export interface Contender {
  readonly source: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export const CONTENDERS = {
  empty: { source: `${PULUMI} ${STACK}` },
  imports: { source: `${PULUMI} import "pulumi-dynamiclink"; ${STACK}` },
  components: {
    source: `${PULUMI}
      for (let index = 0; index < Number(process.env.BENCH_RESOURCES); index++)
        new pulumi.ComponentResource("bench:index:Component", \`component-o\${index}\`, { name: \`Component o\${index}\` });`,
  },
  ours: { source: OBJECTS },
  native: { source: OBJECTS, environment: { BENCH_MODULE: "pulumi-dynamiclink/native" } },
} satisfies Readonly<Record<string, Contender>>;

export type ContenderName = keyof typeof CONTENDERS;
