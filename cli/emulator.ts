/** `pulumi-dynamiclink emulator`: the service in memory, for trying programs without an account. */
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { Command, InvalidArgumentError } from "commander";
import { UserError } from "../provider/lifecycle/errors";
import { API_KEY_VARIABLE, CONFIGURATION_NAMESPACE, SERVICE_NAME } from "../provider/session/service";
import { isLoopback } from "../provider/shapes/hostname";
import { type Seed, SeedError, startEmulator } from "../testing/emulator";
import { type Console, EXIT_CODES, processConsole, runCommand, say } from "./console";
import { parseJson, readText } from "./readText";

/** The key to the organization that is there when no seed is given. It opens nothing but an emulator. */
export const DEVELOPMENT_KEY = "development-key-of-the-emulator";

const developmentSeed: Seed = {
  organizations: [
    {
      keys: [{ key: DEVELOPMENT_KEY }],
      projects: [
        {
          name: "Sample",
          applications: [
            {
              appType: "IOS",
              appleInfo: { appName: "Sample", appScheme: "sample", bundleId: "example.sample.app" },
            },
          ],
          customDomains: [{ hostname: "go.sample.example" }],
          links: [{ name: "Home", url: "https://sample.example/", suffix: "home" }],
        },
      ],
    },
  ],
};

interface EmulatorArguments {
  readonly host: string;
  readonly port: number;
  readonly seed?: string;
  readonly controls?: true;
}

/** The sub-command. It runs until it is interrupted, or until `stopped` says so. */
export function emulatorCommand(
  console: Console = processConsole,
  stopped: () => Promise<unknown> = interrupted,
): Command {
  return new Command("emulator")
    .summary(`run the ${SERVICE_NAME} service in memory`)
    .description(`Runs the ${SERVICE_NAME} service in memory.`)
    .option("--port <number>", "port to listen on; 0 takes any free one", portNumber, 0)
    .option(
      "--host <address>",
      "address to listen on; the default is reached from this machine only",
      "127.0.0.1",
    )
    .option("--seed <file>", "JSON file that says what is in it; without it, a small organization")
    .option("--controls", "offer the controls under /_emulator/ where others reach them too")
    .action((options: EmulatorArguments) =>
      runCommand(console, async () => {
        const seed = options.seed === undefined ? developmentSeed : await readSeed(options.seed);
        const controls = options.controls ?? isLoopback(urlHost(options.host));
        const emulator = await startEmulator({
          host: options.host,
          port: options.port,
          seed,
          controls,
        }).catch((error: unknown) => {
          if (error instanceof SeedError) throw new UserError(`${options.seed}: ${error.message}`);
          throw notListening(error, options);
        });
        const stop = stopped();
        console.stdout.write(`${emulator.url}\n`);
        say(console, "note", `pulumi config set ${CONFIGURATION_NAMESPACE}:apiUrl ${emulator.url}`);
        if (options.seed === undefined) say(console, "note", `export ${API_KEY_VARIABLE}=${DEVELOPMENT_KEY}`);
        say(
          console,
          "note",
          controls
            ? `Controls: ${emulator.url}/_emulator/`
            : "The controls are off, because others reach this address; --controls turns them on.",
        );
        await stop.finally(() => emulator.close());
        return EXIT_CODES.all;
      }),
    );
}

function notListening(error: unknown, { host, port }: EmulatorArguments): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new UserError(`Port ${port} is taken. Name another one with --port; 0 takes any free one.`);
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new UserError(`--host ${host} is no address of this machine.`);
  }
  return error;
}

async function readSeed(file: string): Promise<Seed> {
  // Its shape is checked when it is planted.
  return parseJson(await readText(file), file) as Seed;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("A port is a whole number from 0 to 65535.");
  }
  return port;
}

/** A host as it stands in a URL. */
function urlHost(host: string): string {
  return URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname ?? "";
}

function interrupted(): Promise<unknown> {
  return Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
}
