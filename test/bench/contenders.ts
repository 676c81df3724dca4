/** The programs that are compared: some declare the same objects in different ways, others declare none. */

/** A program of the comparison. */
export interface Contender {
  /** Its key in `contenders`. */
  readonly name: "empty" | "imports" | "components" | "naive" | "shared" | "ours" | "native";
  /** The directory of its program in programs/. */
  readonly program: string;
  /** Its name in the report. */
  readonly title: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Every contender by its name. */
export const contenders: { readonly [Name in Contender["name"]]: Contender & { readonly name: Name } } = {
  empty: { name: "empty", program: "empty", title: "empty program", environment: {} },
  imports: { name: "imports", program: "imports", title: "imports the package only", environment: {} },
  components: { name: "components", program: "components", title: "plain components", environment: {} },
  naive: {
    name: "naive",
    program: "naive",
    title: "naive provider",
    environment: { BENCH_PROVIDERS: "own" },
  },
  shared: {
    name: "shared",
    program: "naive",
    title: "naive provider, one object a kind",
    environment: { BENCH_PROVIDERS: "shared" },
  },
  ours: { name: "ours", program: "dynamiclink", title: "this package", environment: {} },
  native: {
    name: "native",
    program: "dynamiclink",
    title: "this package, native plugin",
    environment: { BENCH_MODULE: "pulumi-dynamiclink/native" },
  },
};
