/** `pulumi-dynamiclink emulator`: runs the service in memory, to try programs without an account. */
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { Command, InvalidArgumentError } from "commander";
import { UserError } from "../../provider/errors";
import { API_KEY_VARIABLE, CONFIGURATION_NAMESPACE, SERVICE_NAME } from "../../provider/service";
import { isLoopback } from "../../provider/values/hostname";
import type { Emulator, EmulatorOptions, RequestRecord, Seed } from "../../testing/emulator";
import { targetOf } from "../../testing/emulator/controls/requestLog";
import { SCOPES } from "../../testing/emulator/world/entities";
import { type Console, EXIT_CODES, runCommand } from "../terminal/console";
import { parseJson } from "../terminal/json";
import { readText } from "../terminal/readText";
import { shellWord } from "../terminal/shellWord";

/** The key of the default organization. Only an emulator accepts it. */
export const DEVELOPMENT_KEY = "development-key-of-the-emulator";

/** The project of the default organization, which programs in the documentation read and import. */
const DEVELOPMENT_PROJECT = { id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e", name: "Brand" };
const DEVELOPMENT_APP = { appName: "Brand", appScheme: "brand", bundleId: "example.brand.app" };

const DEVELOPMENT_SEED: Seed = {
  organizations: [
    {
      // A stack stays usable when the emulator starts again.
      id: "c8c49e23-4269-48ab-a87f-286c1172f028",
      keys: [{ key: DEVELOPMENT_KEY }],
      projects: [
        {
          ...DEVELOPMENT_PROJECT,
          applications: [{ appType: "IOS", appleInfo: DEVELOPMENT_APP }],
          customDomains: [{ hostname: "go.brand.example" }],
          links: [{ name: "Home", url: "https://brand.example/", suffix: "home" }],
        },
      ],
    },
  ],
};

const PARENT_CHECK_MS = 500;

interface EmulatorArguments {
  readonly host: string;
  readonly port: number;
  readonly seed?: string;
  readonly controls?: true;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly log?: true;
}

/** Creates the subcommand. The emulator runs until `stopped` resolves, by default on an interrupt. */
export function emulatorCommand(console: Console, stopped: () => Promise<unknown> = interrupted): Command {
  return new Command("emulator")
    .summary(`run the ${SERVICE_NAME} service in memory`)
    .description(`Runs the ${SERVICE_NAME} service in memory.`)
    .option("--port <number>", "port to listen on; 0 selects a free port", portNumber, 0)
    .option("--host <address>", "address to listen on; only this machine reaches the default", "127.0.0.1")
    .option("--seed <file>", "JSON file with the initial content (default: a small organization)")
    .option("--tls-cert <file>", "certificate in PEM, with which the emulator serves https")
    .option("--tls-key <file>", "private key of the certificate, in PEM")
    .option("--log", "print each request, with its status and the fault that was applied to it")
    .option("--controls", "serve the controls under /_emulator/ even if other machines can reach them")
    .action((options: EmulatorArguments) =>
      runCommand(console, async () => {
        try {
          const emulator = await emulatorWith(options, console);
          const stop = stopped();
          console.print(`${emulator.url}\n`);
          printUse(console, emulator, options.tlsCert);
          for (const note of notesOn(emulator, options)) console.message("note", note);
          await stop.finally(() => emulator.close());
          return EXIT_CODES.all;
        } catch (error) {
          throw emulatorError(error, options);
        }
      }),
    );
}

function servesControls({ controls, host }: EmulatorArguments): boolean {
  return controls ?? isLoopback(urlHost(host));
}

async function emulatorWith(options: EmulatorArguments, console: Console): Promise<Emulator> {
  const { host, port, seed, log } = options;
  // The other commands do not wait for the emulator's validator to load.
  const { startEmulator } = require("../../testing/emulator") as typeof import("../../testing/emulator");
  // The emulator validates the seed.
  const given = seed === undefined ? DEVELOPMENT_SEED : (parseJson(await readText(seed), seed) as Seed);
  const tls = await tlsOf(options);
  return await startEmulator({
    host,
    port,
    seed: given,
    controls: servesControls(options),
    ...(tls !== undefined && { tls }),
    ...(log && { onRequest: (request) => console.message("note", logLine(request)) }),
  });
}

function notesOn({ url }: Emulator, options: EmulatorArguments): readonly string[] {
  const { id, name } = DEVELOPMENT_PROJECT;
  return [
    ...(options.seed === undefined ? [`The project ${name} exists: ${id}`] : []),
    servesControls(options)
      ? `What exists: curl ${url}/_emulator/state`
      : "The controls are off, because other machines can reach this address. Use --controls to turn them on.",
  ];
}

/** The certificate and the key of https, which belong together. */
async function tlsOf({ tlsCert, tlsKey }: EmulatorArguments): Promise<EmulatorOptions["tls"]> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UserError("--tls-cert and --tls-key belong together: give both, or none for http.");
  const [cert, key] = await Promise.all([readText(tlsCert), readText(tlsKey)]);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const reason = (error as Error).message;
    throw new UserError(`${tlsCert} and ${tlsKey} are not a certificate and its key in PEM: ${reason}.`);
  }
  return { cert, key };
}

/** Prints the commands that let Pulumi use the emulator, and then the keys of each organization with what limits them. */
function printUse(console: Console, { url, state, keys }: Emulator, tlsCert: string | undefined): void {
  const isOpen = (id: string) => state.organizations.some((one) => one.id === id && !one.blocked);
  const usable = keys.find(({ organizationId, revoked }) => !revoked && isOpen(organizationId));
  const commands = [
    `pulumi config set ${CONFIGURATION_NAMESPACE}:apiUrl ${url}`,
    ...(usable === undefined ? [] : [`export ${API_KEY_VARIABLE}=${shellWord(usable.key)}`]),
    ...(tlsCert === undefined ? [] : [`export NODE_EXTRA_CA_CERTS=${shellWord(resolve(tlsCert))}`]),
  ];
  for (const command of commands) console.message("note", command);
  for (const { id, blocked } of state.organizations) {
    const own = keys.filter(({ organizationId }) => organizationId === id);
    const lines = own.map(({ key, scopes, revoked }) => {
      const limits = scopes.length === SCOPES.length ? [] : [scopes.join(", ") || "no scopes"];
      return [key, ...(revoked ? ["revoked"] : []), ...limits].join("; ");
    });
    console.message("note", `Organization ${id}${blocked ? ", which is blocked" : ""}:`, lines);
  }
}

/** A request in one line. A query is encoded, so that nothing in it controls the terminal. */
function logLine({ time, status, method, path, query, operationId, fault }: RequestRecord): string {
  return [
    time.slice(11, 23),
    status ?? "no response",
    method,
    targetOf({ path, query }),
    operationId ?? "unknown operation",
    ...(fault === null ? [] : [`fault: ${JSON.stringify(fault)}`]),
  ].join(" ");
}

/** The error of a start or an end, as users see it. */
function emulatorError(error: unknown, { host, port, seed }: EmulatorArguments): unknown {
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (name === "SeedError") return new UserError(`${seed}: ${message}`);
  if (code === "EADDRINUSE")
    return new UserError(
      `Port ${port} is already in use, perhaps by another emulator. Use that one, stop it, or choose another port with --port; 0 selects a free port.`,
    );
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new UserError(`--host ${host} is not an address of this machine.`);
  return error;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError("A port must be an integer from 0 to 65535.");
  return port;
}

/** A host in the form that URLs have. */
function urlHost(host: string): string {
  return URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname ?? "";
}

function interrupted(): Promise<unknown> {
  const { ppid } = process;
  // Ctrl-C ends `pulumi plugin run`, which sets this variable, but not the plugin: that has a process group of its own.
  const isPlugin = process.env.PULUMI_RPC_TARGET !== undefined;
  // This also keeps the process alive: neither the emulator nor a signal handler does.
  const check = () => isPlugin && process.ppid !== ppid && process.emit("SIGTERM");
  const timer = setInterval(check, PARENT_CHECK_MS);
  const signals = [once(process, "SIGINT"), once(process, "SIGTERM")];
  return Promise.race(signals).finally(() => clearInterval(timer));
}
