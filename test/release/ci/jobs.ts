/** The jobs of the CI examples for every system: their commands and their environment. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";

/** A job. */
export interface Job {
  /** Its commands of Pulumi and of this package, as in the file. */
  readonly commands: readonly string[];
  /** Its variables, with secrets filled in. */
  readonly environment: Record<string, string>;
}

type Variables = Record<string, unknown>;
interface GitHubFile {
  readonly env?: Variables;
  readonly jobs: Record<
    string,
    {
      readonly env?: Variables;
      readonly steps: readonly { readonly run?: string; readonly env?: Variables }[];
    }
  >;
}
type GitLabFile = Record<string, { script?: string[]; variables?: Variables }>;

/** The commands that a test can run. */
const TESTED = /^(npx )?pulumi\b/;

const DIRECTORY = resolve(__dirname, "..", "..", "..", "examples", "ci");

/** The jobs of a file, by name. Missing secrets are empty. */
export function jobsIn(file: string, secrets: Readonly<Record<string, string>>): Record<string, Job> {
  const text = readFileSync(resolve(DIRECTORY, file), "utf8");
  const filled = (variables: Variables = {}) =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        String(value).replace(
          /\$\{\{ secrets\.(\w+) \}\}|\$(\w+)/g,
          (_, github, gitlab) => secrets[github ?? gitlab] ?? "",
        ),
      ]),
    );
  const tested = (commands: readonly (string | undefined)[]) =>
    commands.filter((command) => command !== undefined).filter((command) => TESTED.test(command));
  const data: unknown = parse(text);
  if (file.startsWith("github")) {
    const { env, jobs } = data as GitHubFile;
    return Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [
        name,
        {
          commands: tested(job.steps.map(({ run }) => run)),
          environment: filled(Object.assign({}, env, job.env, ...job.steps.map((step) => step.env))),
        },
      ]),
    );
  }
  return Object.fromEntries(
    Object.entries(data as GitLabFile)
      .filter(([, { script }]) => script !== undefined)
      .map(([name, { script = [], variables }]) => [
        name,
        { commands: tested(script), environment: filled(variables) },
      ]),
  );
}
