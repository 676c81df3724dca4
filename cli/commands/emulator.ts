/** `pulumi-dynamiclink emulator`: runs the service in memory, to try programs without an account. */
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { Command, InvalidArgumentError } from "commander";
import { UserError } from "../../provider/errors";
import { API_KEY_VARIABLE, CONFIGURATION_NAMESPACE, SERVICE_NAME } from "../../provider/service";
import { isLoopback } from "../../provider/shapes/hostname";
import type { Seed } from "../../testing/emulator";
import { type Console, EXIT_CODES, printMessage, processConsole, runCommand } from "../terminal/console";
import { parseJson } from "../terminal/json";
import { readText } from "../terminal/readText";

/** The key of the default organization. Only an emulator accepts it. */
export const DEVELOPMENT_KEY = "development-key-of-the-emulator";

/** The project of the default organization, which programs in the documentation read and import. */
const DEVELOPMENT_PROJECT = { id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e", name: "Brand" };

const DEVELOPMENT_SEED: Seed = {
  organizations: [
    {
      keys: [{ key: DEVELOPMENT_KEY }],
      projects: [
        {
          ...DEVELOPMENT_PROJECT,
          applications: [
            {
              appType: "IOS",
              appleInfo: { appName: "Brand", appScheme: "brand", bundleId: "example.brand.app" },
            },
          ],
          customDomains: [{ hostname: "go.brand.example" }],
          links: [{ name: "Home", url: "https://brand.example/", suffix: "home" }],
        },
      ],
    },
  ],
};

const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface EmulatorArguments {
  readonly host: string;
  readonly port: number;
  readonly seed?: string;
  readonly controls?: true;
}

/** Creates the subcommand. The emulator runs until `stopped` resolves, by default on an interrupt. */
export function emulatorCommand(
  console: Console = processConsole,
  stopped: () => Promise<unknown> = interrupted,
): Command {
  return new Command("emulator")
    .summary(`run the ${SERVICE_NAME} service in memory`)
    .description(`Runs the ${SERVICE_NAME} service in memory.`)
    .option("--port <number>", "port to listen on; 0 selects a free port", portNumber, 0)
    .option(
      "--host <address>",
      "address to listen on; the default is reachable from this machine only",
      "127.0.0.1",
    )
    .option("--seed <file>", "JSON file with the initial content (default: a small organization)")
    .option("--controls", "serve the controls under /_emulator/ even if other machines can reach them")
    .action((options: EmulatorArguments) =>
      runCommand(console, async () => {
        const seed =
          options.seed === undefined
            ? DEVELOPMENT_SEED
            : // The emulator validates it.
              (parseJson(await readText(options.seed), options.seed) as Seed);
        const controls = options.controls ?? isLoopback(urlHost(options.host));
        // The other commands do not wait for the emulator's validator to load.
        const { SeedError, startEmulator } =
          require("../../testing/emulator") as typeof import("../../testing/emulator");
        const { host, port } = options;
        const emulator = await startEmulator({ host, port, seed, controls }).catch((error: unknown) => {
          if (error instanceof SeedError) throw new UserError(`${options.seed}: ${error.message}`);
          throw listenError(error, options);
        });
        const stop = stopped();
        console.stdout.write(`${emulator.url}\n`);
        const notes = [
          `pulumi config set ${CONFIGURATION_NAMESPACE}:apiUrl ${emulator.url}`,
          ...(options.seed === undefined
            ? [
                `export ${API_KEY_VARIABLE}=${DEVELOPMENT_KEY}`,
                `The project ${DEVELOPMENT_PROJECT.name} exists: ${DEVELOPMENT_PROJECT.id}`,
              ]
            : []),
          controls
            ? `Controls: ${emulator.url}/_emulator/`
            : "The controls are off, because other machines can reach this address. Use --controls to turn them on.",
        ];
        for (const note of notes) printMessage(console, "note", note);
        await stop.finally(() => emulator.close());
        return EXIT_CODES.all;
      }),
    );
}

function listenError(error: unknown, { host, port }: EmulatorArguments): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new UserError(
      `Port ${port} is already in use. Choose another one with --port; 0 selects a free port.`,
    );
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new UserError(`--host ${host} is not an address of this machine.`);
  }
  return error;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("A port must be an integer from 0 to 65535.");
  }
  return port;
}

/** A host in the form that URLs have. */
function urlHost(host: string): string {
  return URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname ?? "";
}

function interrupted(): Promise<unknown> {
  // Neither the emulator nor a signal handler keeps the process alive.
  const alive = setInterval(() => {}, LONGEST_TIMER_MS);
  return Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]).finally(() =>
    clearInterval(alive),
  );
}
