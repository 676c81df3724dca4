/** The programs that are compared: some declare the same objects in different ways, others declare none. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [OBJECTS, DOCUMENTED] = ["objects", "documented"].map((name) =>
  readFileSync(join(__dirname, "programs", name, "index.ts"), "utf8"),
) as [string, string];
const PULUMI = 'import * as pulumi from "@pulumi/pulumi";';
const STACK = "export const stack = pulumi.getStack();";

/** The text of each program. */
export const CONTENDERS = {
  empty: `${PULUMI} ${STACK}`,
  imports: `${PULUMI} import "pulumi-dynamiclink"; ${STACK}`,
  components: `${PULUMI}
    for (let index = 0; index < Number(process.env.BENCH_RESOURCES); index++)
      new pulumi.ComponentResource("bench:index:Component", \`component-o\${index}\`, { name: \`Component o\${index}\` });`,
  documented: DOCUMENTED,
  ours: OBJECTS,
  /** BENCH_MODULE makes the difference. */
  native: OBJECTS,
};

export type ContenderName = keyof typeof CONTENDERS;
