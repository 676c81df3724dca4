/** The programs that are compared: some declare the same objects in different ways, others declare none. */

/** A program of the comparison. */
export interface Contender {
  /** The directory of its program in programs/. */
  readonly program: string;
  /** Its name in the report. */
  readonly title: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export type ContenderName = "empty" | "imports" | "components" | "naive" | "ours" | "native";

/** Every contender by its name. */
export const CONTENDERS: Readonly<Record<ContenderName, Contender>> = {
  empty: { program: "empty", title: "empty program" },
  imports: { program: "imports", title: "imports the package only" },
  components: { program: "components", title: "plain components" },
  naive: { program: "objects", title: "naive provider", environment: { BENCH_MODULE: "./naive.ts" } },
  ours: { program: "objects", title: "this package" },
  native: {
    program: "objects",
    title: "this package, native plugin",
    environment: { BENCH_MODULE: "pulumi-dynamiclink/native" },
  },
};
