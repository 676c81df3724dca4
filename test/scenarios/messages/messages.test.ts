/** The messages that users see when something fails, and the warnings before it does. After you change one: `npx jest test/scenarios/messages -u`. */
import { startEmulator } from "../../../testing/emulator";
import { programWith } from "../../release/package/programs";
import { programStack } from "../../support/stacks/programStack";
import { failureOf } from "../../support/stacks/scenarios";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../../support/values/organizations";
import { patternOf } from "./advice";
import { CASES, messageOf, openCase, seed } from "./cases";
import { ROWS, rowsOf } from "./followUps";

const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";

/** Programs that fail themselves, before anything reaches the provider. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "An unknown argument of Provider": 'new Provider("europe", { apiKeyVar: "EUROPE_KEY" } as never);',
  "An invalid argument of Provider": 'new Provider("own", { apiKey: " ", apiUrl: "http://c4n4ry.example" });',
  "An invalid argument of Provider, as an Output":
    'new Provider("own", { apiUrl: Promise.resolve("http://c4n4ry.example") });',
  "An invalid argument of Provider, as a secret":
    'new Provider("own", { apiKeyEnvVar: secret("1-c4n4ry") });',
  "A key as apiKeyEnvVar of a Provider": `await getProject({ id: "${MISSING}" }, { provider: new Provider("own", { apiKeyEnvVar: "dlk_live_c4n4ry", apiUrl }) });`,
  "An unknown setting in preview": 'new Provider("europe", { apiKey: new Project("a", { name: "A" }).id });',
  "A component with several providers":
    'const providers = ["a", "b"].map((name) => new Provider(name)); new ComponentResource("a:b:C", "c", {}, { providers });',
  customTimeouts: 'new Project("shop", { name: "Shop" }, { customTimeouts: { create: "5m" } } as never);',
  "Text that is not well-formed": 'new Project("shop", { name: "Shop \\ud800" });',
  "An Output in a template literal":
    'const hats = new Project("hats", { name: "Hats" }); new Project("hi", { name: "Hi " + hats.name });',
  "An Output in the template literal of an argument":
    'await getProject({ id: "" + new Project("hats", { name: "Hats" }).id });',
  "An empty import": 'new Project("shop", { name: "Shop" }, { import: process.env.NO_SUCH_VARIABLE ?? "" });',
  "A lookup of what does not exist": `await getProject({ id: "${MISSING}" });`,
  "A lookup by something other than a UUID": 'await getLink({ id: "https://acme.example/home" });',
};

/** Settings that no program runs with. */
const CONFIGURATIONS: Readonly<Record<string, Record<string, string>>> = {
  "A misspelt setting": { "dynamiclink:readonly": "true" },
  "A key in plain text": { "dynamiclink:apiKey": "not-a-key" },
};

async function messageOfCase(steps: (typeof CASES)[string]): Promise<string> {
  await using open = await openCase();
  return await messageOf(open, steps);
}

async function messageOfProgram(source: string, config: Record<string, string> = {}): Promise<string> {
  await using service = await startEmulator({ seed });
  using program = programWith({
    "package.json": JSON.stringify({ name: "messages", type: "module", main: "index.ts" }),
    "index.ts": `import { ComponentResource, secret } from "@pulumi/pulumi";\nimport { getLink, getProject, Project, Provider } from "pulumi-dynamiclink";\nconst apiUrl = "${service.url}";\n${source}`,
  });
  await using stack = programStack({ service, program: program.path, config });
  return await failureOf(stack.preview());
}

/** Replaces what differs between runs with placeholders. Several UUIDs are numbered in order of appearance. */
function stable(text: string): string {
  const seen: string[] = [];
  const named = (uuid: string) => {
    if (!seen.includes(uuid)) seen.push(uuid);
    return `<uuid ${seen.indexOf(uuid) + 1}>`;
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

test("every message is the accepted one, without a stack trace, internals or a key", async () => {
  const messages: Record<string, string> = {};
  for (const [title, steps] of Object.entries(CASES)) messages[title] = stable(await messageOfCase(steps));
  for (const [title, source] of Object.entries(PROGRAMS))
    messages[title] = stable(await messageOfProgram(source));
  for (const [title, config] of Object.entries(CONFIGURATIONS))
    messages[title] = stable(await messageOfProgram('new Project("shop", { name: "Shop" });', config));
  const INTERNAL = /^$|\n\s+at |undefined|\[object|Error:|gRPC|__provider|zod|undici|c4n4ry/;
  const leaking = Object.values(messages).filter(
    (text) => INTERNAL.test(text) || text.includes(KEY) || text.includes(OTHER_KEY),
  );
  expect(leaking).toEqual([]);
  // Each command or option in a message belongs to advice that a test follows; the list says which.
  const advised = Object.entries(messages).map(([title, text]) => {
    const rows = rowsOf(text);
    const rest = rows.reduce((left, row) => left.replaceAll(patternOf(ROWS[row] ?? "", "g"), ""), text);
    return { title, rest: rest.match(/`[^`]+`/g), text: [text, ...rows.map((row) => `→ ${row}`)].join("\n") };
  });
  expect(advised.filter(({ rest }) => rest !== null)).toEqual([]);
  expect(Object.fromEntries(advised.map(({ title, text }) => [title, text]))).toMatchSnapshot();
});
