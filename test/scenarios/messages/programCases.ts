/** How the program itself fails, before anything reaches the provider. */

/** A program that fails, and its title in the catalogue. */
export interface ProgramCase {
  readonly title: string;
  readonly source: string;
  /** Additional settings in the stack's configuration. */
  readonly config?: Readonly<Record<string, string>>;
}

const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";

/** The cases, in the order of the catalogue. */
export const PROGRAM_CASES: readonly ProgramCase[] = [
  {
    title: "A misspelt setting in the stack's configuration",
    source: 'new Project("shop", { name: "Shop" });',
    config: { "dynamiclink:readonly": "true" },
  },
  {
    title: "A key in plain text in the stack's configuration",
    source: 'new Project("shop", { name: "Shop" });',
    config: { "dynamiclink:apiKey": "not-a-key" },
  },
  {
    title: "An argument of Provider that does not exist",
    source: 'new Provider("europe", { apiKeyVar: "EUROPE_KEY" } as never);',
  },
  {
    title: "A setting of Provider that is not known in preview",
    source: `
      const shop = new Project("shop", { name: "Shop" });
      new Provider("europe", { apiKey: shop.id });
    `,
  },
  {
    title: "A component with several providers",
    source: `
      const europe = new Provider("europe");
      const asia = new Provider("asia");
      new ComponentResource("shops:index:Shop", "shop", {}, { providers: [europe, asia] });
    `,
  },
  {
    title: "The option customTimeouts",
    source: 'new Project("shop", { name: "Shop" }, { customTimeouts: { create: "5m" } } as never);',
  },
  {
    title: "Text that is not well-formed Unicode",
    source: 'new Project("shop", { name: "Shop \\ud800" });',
  },
  { title: "A lookup of something that does not exist", source: `await getProject({ id: "${MISSING}" });` },
  {
    title: "A lookup by something other than a UUID",
    source: 'await getLink({ id: "https://acme.example/home" });',
  },
];
