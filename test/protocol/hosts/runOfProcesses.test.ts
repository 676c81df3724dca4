/**
 * Several provider processes of one run, as real processes of either host: what they share, and when they stop. It is slow
 * because each process loads Pulumi's SDK or the plugin.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { providerText } from "../../../provider/hosts/dynamicNames";
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { DESCRIPTIONS } from "../../../provider/resources";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import type { Properties } from "../../../testing/engine/protocol/values";
import { type Provider, readImported } from "../../../testing/engine/providers/provider";
import {
  type ProviderProcess,
  startHost,
  startPlugin,
} from "../../../testing/engine/providers/providerProcess";
import { type LogEngine, startLogEngine } from "../../support/providers/logEngine";
import { KEY, ORGANIZATION, seedWith, writesIn } from "../../support/stacks/scenarios";

const ROOT = resolve(__dirname, "../../..");
const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER = "0c0c0c0c-0000-4000-8000-000000000005";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";

const seed = seedWith([
  { id: SHOP, name: "Shop" },
  {
    id: OTHER,
    name: "Other",
    customDomains: [{ id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "PENDING_DNS" }],
  },
]);

let service: Emulator;
let engine: LogEngine;
let directory: string;
const processes: ProviderProcess[] = [];

beforeEach(async () => {
  // The domain stays pending, however long a process takes to notice the end of its engine.
  service = await startEmulator({ seed, behaviour: { domainAdvance: "manual" } });
  engine = await startLogEngine();
  directory = mkdtempSync(join(tmpdir(), "dynamiclink-run-"));
});
afterEach(async () => {
  for (const process of processes.splice(0)) {
    process.kill();
    await process.exited;
  }
  engine.kill();
  await service.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A provider in a process of its own. */
interface Started {
  readonly provider: Provider;
  kill(): Promise<void>;
}

/** Starts a provider of the run, as the engine does for each provider resource. */
async function start(host: Host, environment: Record<string, string> = {}): Promise<Started> {
  const request = {
    directory: join(ROOT, "examples", "quickstart"),
    environment: { ...process.env, TMPDIR: directory, DYNAMICLINK_API_KEY: KEY, ...environment },
    project: "run",
    engineAddress: engine.address,
    log: () => {},
    onLine: () => {},
    trace: () => {},
  };
  const started =
    host === NATIVE_HOST
      ? startPlugin(join(ROOT, "plugin", "pulumi-resource-dynamiclink"), request)
      : startHost(request);
  processes.push(started);
  const apiUrl = host === NATIVE_HOST ? "apiUrl" : "dynamiclink:apiUrl";
  return {
    provider: await started.configure({ [apiUrl]: service.url }),
    async kill() {
      started.kill();
      await started.exited;
    },
  };
}

function urnOf(host: Host, kind: keyof typeof DESCRIPTIONS, name: string): string {
  return `urn:pulumi:test::run::${host.typeToken(DESCRIPTIONS[kind])}::${name}`;
}

/** The properties as the host gets them. */
function propertiesOf(host: Host, kind: keyof typeof DESCRIPTIONS, properties: Properties): Properties {
  return host === NATIVE_HOST ? properties : { ...properties, __provider: providerText(DESCRIPTIONS[kind]) };
}

/** Adopts the project for a new resource, up to the check. Returns why that is refused. */
async function adopt(host: Host, { provider }: Started, name: string): Promise<readonly string[]> {
  const urn = urnOf(host, "Project", name);
  const news = propertiesOf(host, "Project", { name: "Shop" });
  if (host === DYNAMIC_HOST) {
    const { failures } = await provider.check({ urn, olds: {}, news: { ...news, __import: SHOP } });
    return failures.map(({ reason }) => reason);
  }
  try {
    const { inputs } = await readImported(provider, urn, SHOP);
    const { failures } = await provider.check({ urn, olds: inputs, news });
    return failures.map(({ reason }) => reason);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Deletes the project because of an entry of the state. */
async function deleteShop(host: Host, { provider }: Started): Promise<void> {
  const outputs = propertiesOf(host, "Project", { name: "Shop", __organization: ORGANIZATION });
  await provider.delete({ urn: urnOf(host, "Project", "entry"), id: SHOP, inputs: outputs, outputs });
}

describe.each([
  ["dynamic-provider hosts", DYNAMIC_HOST],
  ["plugins", NATIVE_HOST],
])("two %s of a run", (_name, host) => {
  test("keep an object that one of them has adopted, and do not adopt it twice, also after that one was killed; another run deletes it", async () => {
    const [first, second] = [await start(host), await start(host)];
    expect(await adopt(host, first, "shop")).toEqual([]);
    await first.kill();
    await deleteShop(host, second);
    expect(await engine.messageWith("is kept")).toContain(SHOP);
    const [refusal] = await adopt(host, second, "store");
    expect(refusal).toContain(`imports project ${SHOP} as well`);
    expect(writesIn(service)).toEqual([]);
    engine.kill();
    engine = await startLogEngine();
    await deleteShop(host, await start(host));
    expect(service.state.projects.map(({ id }) => id)).toEqual([OTHER]);
  });

  test("adopt and delete nothing if they cannot share that, and check other resources nevertheless", async () => {
    const [first, second] = [await start(host), await start(host)];
    chmodSync(directory, 0o777);
    const reason = `other users can replace it, because ${directory} has mode 0777 without the sticky bit. Set the environment variable TMPDIR to a directory that only you can write to`;
    const [refusal] = await adopt(host, first, "shop");
    expect(refusal).toContain(`Project ${SHOP} was not adopted.\n`);
    expect(refusal).toContain(reason);
    const deletion = deleteShop(host, second);
    await expect(deletion).rejects.toThrow(`Project ${SHOP} was not deleted.\n`);
    await expect(deletion).rejects.toThrow(reason);
    expect(writesIn(service)).toEqual([]);

    const { provider } = second;
    const news = propertiesOf(host, "Project", { name: "Market" });
    const urn = urnOf(host, "Project", "market");
    expect((await provider.check({ urn, olds: {}, news })).failures).toEqual([]);
    expect((await provider.check({ urn, olds: news, news })).failures).toEqual([]);
    await provider.create({ urn, inputs: news });
    expect(writesIn(service)).toEqual(["createProject 201"]);
  });
});

describe.each([
  ["a dynamic-provider host", DYNAMIC_HOST],
  ["a plugin", NATIVE_HOST],
])("%s", (_name, host) => {
  /** Creates an application that the service rejects once with 429. Calls a function when it does. */
  async function createAfterRateLimit(
    { provider }: Started,
    onRejection: () => unknown,
    name = "web",
  ): Promise<unknown> {
    service.inject({
      operation: "createApplication",
      match() {
        onRejection();
        return true;
      },
      effect: { status: 429, retryAfter: 0 },
    });
    const inputs = propertiesOf(host, "Application", { projectId: SHOP, appType: "WEB" });
    return await provider.create({ urn: urnOf(host, "Application", name), inputs });
  }

  test("repeats a create after a rejection as long as its engine runs, and not when it was killed during the wait", async () => {
    const started = await start(host);
    await createAfterRateLimit(started, () => {});
    expect(writesIn(service)).toEqual(["createApplication 429", "createApplication 201"]);
    service.clearRequests();
    await expect(createAfterRateLimit(started, () => engine.kill(), "site")).rejects.toThrow();
    expect(writesIn(service)).toEqual(["createApplication 429"]);
  });

  const onLinux = process.platform === "linux" ? test : test.skip;
  onLinux("repeats no create when another engine listens at the address of its engine", async () => {
    let later = Promise.resolve(engine);
    const started = await start(host);
    const created = createAfterRateLimit(started, () => {
      engine.kill();
      later = startLogEngine(engine.port);
    });
    const result = await created.then(
      () => "created",
      ({ message }: Error) => message,
    );
    engine = await later;
    expect(result).toContain("Pulumi's engine has ended");
    expect(writesIn(service)).toEqual(["createApplication 429"]);
  });

  test("reports a long wait to its engine, although a proxy is set for all connections, and ends it when that was killed", async () => {
    const { provider } = await start(host, {
      http_proxy: "http://127.0.0.1:9",
      grpc_proxy: "http://127.0.0.1:9",
      no_proxy: "",
      no_grpc_proxy: "",
    });
    const inputs = propertiesOf(host, "CustomDomainActivation", { customDomainId: DOMAIN });
    const urn = urnOf(host, "CustomDomainActivation", "active");
    const waiting = expect(provider.create({ urn, inputs })).rejects.toThrow();
    await engine.messageWith("PENDING");
    engine.kill();
    await waiting;
  });
});
