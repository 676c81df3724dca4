/**
 * The messages that users see when something fails. Together they are the page docs/error-messages.md.
 *
 * After you change a message, run `npm run docs:errors` to write the page again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../../testing/emulator";
import { StackFailure } from "../../../testing/engine";
import { programWith, ROOT } from "../../release/package/unpackedProgram";
import type { Outcome } from "../../support/stacks/declaredStack";
import { inProcessStack } from "../../support/stacks/inProcessStack";
import { sharedStacks } from "../../support/stacks/sharedProcess";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../../support/values/organizations";
import { MESSAGE_CASES, type MessageCase, seed } from "./cases";
import { PROGRAM_CASES, type ProgramCase } from "./programCases";

const newStack = sharedStacks();

const FILE = join(ROOT, "docs", "error-messages.md");

const INTRODUCTION = `# Error messages

<!-- Written by \`npm run docs:errors\` from what the tests see. -->

The errors of previews and deployments, with placeholders such as \`<uuid>\`. [errors.md](errors.md) explains them, by symptom.`;

const messages = new Map<string, Promise<string>>();

/** The message of a case, which is produced once. */
function messageOfCase({ title, errors }: (typeof CASES)[number]): Promise<string> {
  const message = messages.get(title) ?? errors().then(checked);
  messages.set(title, message);
  return message;
}

/** Replaces what differs between runs with placeholders. Several UUIDs are numbered in order of appearance. */
function stable(text: string): string {
  const seen: string[] = [];
  const named = (uuid: string) => {
    if (!seen.includes(uuid)) seen.push(uuid);
    const index = seen.indexOf(uuid);
    return index === 0 ? "<uuid>" : `<uuid ${index + 1}>`;
  };
  return text
    .replaceAll(ORGANIZATION, "<organization>")
    .replaceAll(OTHER_ORGANIZATION, "<other organization>")
    .replace(/\(request [^)]+\)/g, "(request <request id>)")
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named)
    .replace(/\b[0-9a-f]{8}(?=\.edge)/g, "<id>")
    .replace(/\b[0-9a-f]{32}\b/g, "<proof>")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
}

function checked(errors: readonly string[]): string {
  const text = stable(errors.join("\n"));
  expect(text).not.toBe("");
  // No stack trace, no internals, no key.
  expect(text).not.toMatch(/\n\s+at |undefined|\[object|Error:|gRPC|__provider|zod|undici/);
  for (const key of [KEY, OTHER_KEY]) expect(text).not.toContain(key);
  return text;
}

function isError({ severity }: Outcome["diagnostics"][number]): boolean {
  return severity === "error";
}

async function messageOf(each: MessageCase): Promise<string[]> {
  const { behaviour = {}, config = {}, environment, before, run } = each;
  const service = await startEmulator({ seed, behaviour });
  // The seed is older than anything that a case creates, even in whole seconds.
  service.clock.advance(5_000);
  let variables = environment ?? { DYNAMICLINK_API_KEY: KEY };
  const settings = Object.entries({ apiUrl: service.url, ...config });
  const stack = inProcessStack({
    environment: () => variables,
    config: Object.fromEntries(
      settings.flatMap(([name, value]) => (value === undefined ? [] : [[`dynamiclink:${name}`, value]])),
    ),
    timeoutMs: () => 20_000,
    random: () => 0,
  });
  try {
    if (before !== undefined) expect((await stack.up(before)).diagnostics.filter(isError)).toEqual([]);
    const outcome = await run({
      stack,
      service,
      setEnvironment: (next) => {
        variables = next as typeof variables;
      },
    });
    expect(outcome.failed).toBe(true);
    return outcome.diagnostics.filter(isError).map(({ message }) => message);
  } finally {
    await service.close();
  }
}

async function messageOfProgram({ source, config }: ProgramCase): Promise<string[]> {
  const service = await startEmulator({ seed });
  const program = programWith({
    "package.json": JSON.stringify({ name: "messages", type: "module", main: "index.ts" }),
    "index.ts": `import { ComponentResource } from "@pulumi/pulumi";\nimport { getLink, getProject, Project, Provider } from "pulumi-dynamiclink";\n${source}`,
  });
  const stack = newStack({
    program: program.path,
    config: { "dynamiclink:apiUrl": service.url, ...config },
    environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: undefined },
  });
  const failure = await stack.preview().catch((error: unknown) => error);
  await stack.close();
  await service.close();
  program.remove();
  if (!(failure instanceof StackFailure)) throw new Error("The preview should have failed.");
  const errors = failure.result.diagnostics.filter(isError).map(({ message }) => message);
  return errors.filter((message) => !message.startsWith("The program failed;"));
}

/** The cases in the order of the catalogue, each with how to cause it. */
const CASES = [
  ...MESSAGE_CASES.map((each) => ({ ...each, errors: () => messageOf(each) })),
  ...PROGRAM_CASES.map((each) => ({ ...each, section: "The program", errors: () => messageOfProgram(each) })),
];

test.each(CASES)("$section: $title", async (each) => void (await messageOfCase(each)));

test("docs/error-messages.md contains every message", async () => {
  const texts = new Map<string, string>();
  for (const each of CASES) texts.set(each.title, await messageOfCase(each));
  const page = cataloguePage(texts);
  if (process.env.DYNAMICLINK_WRITE_CATALOGUE === "1") writeFileSync(FILE, page);
  else expect(readFileSync(FILE, "utf8")).toBe(page);
});

/** The page with all messages. */
function cataloguePage(texts: ReadonlyMap<string, string>): string {
  const sections = Map.groupBy(CASES, ({ section }) => section);
  const contents = [...sections.keys()].map((section) => `- [${section}](#${anchor(section)})`);
  const catalogue = [...sections].flatMap(([section, cases]) => [
    `## ${section}`,
    ...cases.map(({ title }) => `### ${title}\n\n\`\`\`\n${texts.get(title)}\n\`\`\``),
  ]);
  return `${[INTRODUCTION, contents.join("\n"), ...catalogue].join("\n\n")}\n`;
}

/** The anchor of a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
