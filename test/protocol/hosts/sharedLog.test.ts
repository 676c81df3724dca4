/** The log that the provider processes of a run share: which processes see its facts, for how long, and where it is stored. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, {
  chmodSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateDirectory } from "../../../provider/hosts/privateDirectory";
import { engineAt } from "../../../provider/hosts/runEngine";
import { sharedLog } from "../../../provider/hosts/sharedLog";
import { newLedger } from "../../../provider/lifecycle/ledger/ledger";

const RUN = "127.0.0.1:1";
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "dynamiclink-log-"));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(parent, { recursive: true, force: true });
});

/** The ledger of another process of the run. */
function ledgerOf(run: () => string | undefined = () => RUN) {
  const ledger = newLedger(sharedLog(run, parent));
  return {
    requireShared: ledger.requireShared,
    add: (object: string) => ledger.record({ is: "adopting", object }),
    /** Whether there is a fact about an object. @throws the problem if that is not known. */
    has(object: string): boolean {
      const facts = ledger.facts();
      if (facts.about(object).length > 0) return true;
      if (facts.problem !== undefined) throw facts.problem;
      return false;
    },
  };
}

function directory(): string {
  return join(parent, `pulumi-dynamiclink-runs-${process.getuid?.()}`);
}

/** Starts a process that records a fact and runs until it is ended. */
async function recording(object: string) {
  const built = (path: string) => JSON.stringify(join(__dirname, "../../../dist/provider", path));
  const script = `
    const { sharedLog } = require(${built("hosts/sharedLog.js")});
    const { newLedger } = require(${built("lifecycle/ledger/ledger.js")});
    newLedger(sharedLog(() => ${JSON.stringify(RUN)})).record({ is: "adopting", object: ${JSON.stringify(object)} });
    console.log("recorded");
    setInterval(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ["-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: parent },
  });
  await once(child.stdout, "data");
  return {
    async end() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** The directory of a run, in that of all runs. */
function runDirectory(): string {
  const [run = "", ...others] = readdirSync(directory());
  expect(others).toEqual([]);
  return join(directory(), run);
}

/** Counts calls of functions of the file system while work is done, and the bytes that it reads. */
function counting(work: () => void): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (name: string, by: number) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  for (const name of [
    "mkdirSync",
    "lstatSync",
    "statSync",
    "readdirSync",
    "openSync",
    "closeSync",
    "readSync",
    "readFileSync",
    "appendFileSync",
  ] as const) {
    const real = fs[name] as (...values: unknown[]) => unknown;
    jest.spyOn(fs, name).mockImplementation((...values: unknown[]) => {
      count(name, 1);
      const result = real(...values);
      if (name === "readSync") count("bytes", result as number);
      return result as never;
    });
  }
  work();
  jest.restoreAllMocks();
  return counts;
}

function wayOut(reason: string, path = directory()): string {
  return `The provider processes of a run share in ${path} which objects they keep, but ${reason}. Set the environment variable TMPDIR to a directory that only you can write to and that has free space, and run this again.`;
}

/** Makes a function of the file system fail as long as the test runs. */
function failing(name: "appendFileSync" | "openSync", message: string, path = ""): void {
  const real = fs[name] as (...values: unknown[]) => unknown;
  jest.spyOn(fs, name).mockImplementation((...values: unknown[]) => {
    if (String(values[0]).includes(path)) throw new Error(message);
    return real(...values) as never;
  });
}

// Windows shows no owner and mode of a directory. It is private there if it is in the user's profile.
const onUnix = process.getuid === undefined ? describe.skip : describe;

onUnix("facts", () => {
  test("are visible to every process of the run, and to no other run", () => {
    ledgerOf().add("project a");
    expect(ledgerOf().has("project a")).toBe(true);
    expect(ledgerOf().has("project")).toBe(false);
    expect(ledgerOf(() => "127.0.0.1:2").has("project a")).toBe(false);
  });

  test("are lines, which each of the others reads once", () => {
    const [first, second] = [sharedLog(() => RUN, parent), sharedLog(() => RUN, parent)];
    expect(first.read()).toEqual({ lines: [] });
    for (const line of ["a", "b"]) first.append(line);
    second.append("c");
    expect(second.read()).toEqual({ lines: ["a", "b"] });
    expect(second.read()).toEqual({ lines: [] });
    expect(first.read()).toEqual({ lines: ["c"] });
    expect(sharedLog(() => undefined, parent).read()).toEqual({ lines: [] });
  });

  test("stay when the process that recorded them was killed, and another one records facts", async () => {
    await (await recording("project a")).end();
    ledgerOf().add("project b");
    expect(["project a", "project b"].map((object) => ledgerOf().has(object))).toEqual([true, true]);
  });

  test("are in one file for each process, in a directory that only this user can access", () => {
    const ledger = ledgerOf();
    ledger.add("project a");
    ledger.add("project b");
    expect(statSync(directory()).mode & 0o777).toBe(0o700);
    expect(statSync(runDirectory()).mode & 0o777).toBe(0o700);
    const [file = "", ...others] = readdirSync(runDirectory());
    expect(others).toEqual([]);
    expect(statSync(join(runDirectory(), file)).mode & 0o777).toBe(0o600);
    expect(ledgerOf().has("project b")).toBe(true);
  });

  test("are removed a week after the run, whichever processes exist", () => {
    ledgerOf(() => "127.0.0.1:2").add("project a");
    const [old = ""] = readdirSync(directory());
    const daysAgo = (days: number) => Date.now() / 1_000 - days * 24 * 60 * 60;
    lutimesSync(join(directory(), old), daysAgo(6), daysAgo(6));
    ledgerOf().add("project b");
    expect(readdirSync(directory())).toContain(old);
    lutimesSync(join(directory(), old), daysAgo(8), daysAgo(8));
    ledgerOf().add("project c");
    expect(readdirSync(directory())).not.toContain(old);
  });

  test("of earlier runs may be removed by several processes at the same time", () => {
    for (const run of ["127.0.0.1:2", "127.0.0.1:3"]) ledgerOf(() => run).add("project a");
    const [first = "", second = ""] = readdirSync(directory()).map((name) => join(directory(), name));
    const weekAgo = Date.now() / 1_000 - 8 * 24 * 60 * 60;
    lutimesSync(second, weekAgo, weekAgo);
    const real = fs.statSync as (...values: unknown[]) => unknown;
    jest.spyOn(fs, "statSync").mockImplementation((...values: unknown[]) => {
      if (values[0] === first) rmSync(first, { recursive: true });
      const found = real(...values);
      if (values[0] === second) rmSync(second, { recursive: true });
      return found as never;
    });
    ledgerOf().add("project b");
    jest.restoreAllMocks();
    expect(ledgerOf().has("project b")).toBe(true);
    expect([first, second].filter((path) => fs.existsSync(path))).toEqual([]);
  });

  test("cannot be shared if the directory of the run cannot be created", () => {
    ledgerOf().add("project a");
    const run = runDirectory();
    rmSync(run, { recursive: true });
    writeFileSync(run, "");
    const log = sharedLog(() => RUN, parent);
    expect(log.read()).toMatchObject({ lines: [], problem: { message: expect.stringContaining(run) } });
    expect(() => log.requireShared()).toThrow(/it cannot be created: .*EEXIST/);
  });

  test("do not hide a defect", () => {
    const log = sharedLog(() => {
      throw new Error("defect");
    }, parent);
    for (const use of [() => log.append("a"), () => log.read(), () => log.requireShared()])
      expect(use).toThrow("defect");
  });

  test.each<[string, string, () => void]>([
    ["is a link", "it is not a directory", () => symlinkSync(parent, directory())],
    [
      "is open to others",
      "other users can access it (mode 0770)",
      () => {
        mkdirSync(directory());
        chmodSync(directory(), 0o770);
      },
    ],
    [
      "can be replaced by others, as in a volume of a cluster",
      "other users can replace it, because PARENT has mode 0777 without the sticky bit",
      () => chmodSync(parent, 0o777),
    ],
  ])("cannot be shared if the directory %s", (_name, reason, occupy) => {
    const ledger = ledgerOf();
    occupy();
    const message = wayOut(reason.replace("PARENT", parent));
    expect(() => ledger.requireShared()).toThrow(message);
    // All processes of the run are concerned, so none of them deletes anything.
    ledger.add("project a");
    expect(ledger.has("project a")).toBe(true);
    expect(() => ledger.has("project b")).toThrow(message);
    expect(() => ledgerOf().has("project a")).toThrow(message);
  });

  test("that could not be shared are shared as soon as the directory can be used", () => {
    chmodSync(parent, 0o777);
    const ledger = ledgerOf();
    ledger.add("project a");
    chmodSync(parent, 0o700);
    ledger.add("project b");
    expect(ledgerOf().has("project a")).toBe(true);
  });

  test("of a process that is not part of a run are its own, until it is", () => {
    let run: string | undefined;
    const ledger = ledgerOf(() => run);
    ledger.requireShared();
    ledger.add("project a");
    expect(["project a", "project b"].map((object) => ledger.has(object))).toEqual([true, false]);
    expect(readdirSync(parent)).toEqual([]);
    run = RUN;
    ledger.add("project b");
    expect(ledgerOf().has("project a")).toBe(true);
  });

  test("are known to their own process while the disk is full, and are shared as soon as it is not", () => {
    const ledger = ledgerOf();
    ledger.add("project a");
    const [file = ""] = readdirSync(runDirectory());
    failing("appendFileSync", "ENOSPC: no space left on device, write");
    const message = wayOut(
      "writing a file there failed: ENOSPC: no space left on device, write",
      runDirectory(),
    );
    expect(() => ledger.add("project b")).toThrow(message);
    expect(() => ledger.requireShared()).toThrow(message);
    jest.restoreAllMocks();
    writeFileSync(join(runDirectory(), file), '{"is":"adopting","object":"proj', { flag: "a" });
    const all = ["project a", "project b", "project c"];
    expect(all.map((object) => ledger.has(object))).toEqual([true, true, false]);
    ledger.add("project c");
    expect(all.map((object) => ledgerOf().has(object))).toEqual([true, true, true]);
  });

  test("of a file that cannot be read hide no others, and count neither as set nor as not set", () => {
    ledgerOf().add("project a");
    const [unreadable = ""] = readdirSync(runDirectory());
    ledgerOf().add("project b");
    failing("openSync", "EACCES: permission denied, open", unreadable);
    expect(ledgerOf().has("project b")).toBe(true);
    expect(() => ledgerOf().has("project a")).toThrow(
      wayOut("reading the files there failed: EACCES: permission denied, open", runDirectory()),
    );
  });

  test("of a directory that cannot be listed cannot be read", () => {
    ledgerOf().add("project a");
    const [ledger, path] = [ledgerOf(), runDirectory()];
    jest.spyOn(fs, "readdirSync").mockImplementation(() => {
      throw new Error("EIO: i/o error, scandir");
    });
    const message = wayOut("reading the files there failed: EIO: i/o error, scandir", path);
    expect(() => ledger.has("project a")).toThrow(message);
  });

  test("that a process has read stay set, and others are unknown, if the files of the run are removed", () => {
    ledgerOf().add("project a");
    const ledger = ledgerOf();
    expect(ledger.has("project a")).toBe(true);
    rmSync(directory(), { recursive: true });
    expect(ledger.has("project a")).toBe(true);
    expect(() => ledger.has("project b")).toThrow(/reading the files there failed: .*ENOENT/);
    expect(() => ledger.add("project c")).toThrow(/writing a file there failed: .*ENOENT/);
  });

  test("of a line that is not complete yet are seen when it is", () => {
    const [writer, reader] = [ledgerOf(), ledgerOf()];
    writer.add("project a");
    const [file = ""] = readdirSync(runDirectory());
    writeFileSync(join(runDirectory(), file), '{"is":"adopting","object":"proj', { flag: "a" });
    expect(reader.has("project a")).toBe(true);
    writeFileSync(join(runDirectory(), file), 'ect b"}\n', { flag: "a" });
    expect(["project a", "project b", "proj"].map((object) => reader.has(object))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("cost the same for each question and each fact, however many there are", () => {
    const FACTS = 100;
    const names = Array.from({ length: FACTS }, (_, index) => `project ${index}`);
    const [first, second] = [ledgerOf(), ledgerOf()];
    const added = counting(() => names.forEach((name) => void first.add(name)));
    // The directory is verified, and old runs are looked for, before the first one.
    expect(added).toEqual({
      mkdirSync: 2,
      lstatSync: 1,
      statSync: 2,
      readdirSync: 1,
      openSync: FACTS,
      closeSync: FACTS,
      appendFileSync: FACTS,
    });
    const [file = ""] = readdirSync(runDirectory());
    const { size } = statSync(join(runDirectory(), file));
    const asked = counting(() => names.forEach((name) => void second.has(name)));
    expect(asked).toEqual({
      mkdirSync: 2,
      lstatSync: 1,
      statSync: 1 + FACTS,
      readdirSync: FACTS,
      openSync: 1,
      closeSync: 1,
      readSync: 1,
      bytes: size,
    });
  });
});

describe("a private directory", () => {
  const user = process.getuid?.() ?? 0;

  test("of another user is not used", () => {
    mkdirSync(join(parent, `files-${user + 1}`), { mode: 0o700 });
    expect(() => privateDirectory("files", { parent, user: user + 1 })).toThrow("it belongs to another user");
  });

  test("is in the user's profile where files have no owner, as on Windows", () => {
    expect(privateDirectory("files", { parent, user: null, home: tmpdir() })).toBe(join(parent, "files"));
    const elsewhere = join(parent, "profile");
    expect(() => privateDirectory("others", { parent, user: null, home: elsewhere })).toThrow(
      `it is not in the profile of this user, ${elsewhere}`,
    );
    expect(readdirSync(parent)).toEqual(["files"]);
  });
});

describe("the engine of a run", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function listening(port = 0) {
    const server = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => server.close());
    return {
      port: (server.address() as { port: number }).port,
      close: async () => {
        server.close();
        await once(server, "close");
      },
    };
  }

  /** An engine in a process of its own, which can be killed. */
  async function listeningElsewhere() {
    const source =
      'const s = require("node:http2").createServer(); s.listen(0, "127.0.0.1", () => console.log(s.address().port))';
    const process = spawn(globalThis.process.execPath, ["-e", source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    ends.push(() => process.kill("SIGKILL"));
    const [port] = await once(process.stdout, "data");
    return {
      port: Number(String(port)),
      kill: async () => {
        process.kill("SIGKILL");
        await once(process, "exit");
      },
    };
  }

  test("runs until nothing listens at its address", async () => {
    const server = await listening();
    const engine = engineAt(`127.0.0.1:${server.port}`);
    expect(engine.run).toBe(engineAt(`127.0.0.1:${server.port}`).run);
    expect(await engine.isRunning()).toBe(true);
    await server.close();
    expect(await engine.isRunning()).toBe(false);
  });

  test("is known by its address where the system does not show sockets", async () => {
    const real = fs.readFileSync;
    jest.spyOn(fs, "readFileSync").mockImplementation((path, ...options) => {
      if (String(path).startsWith("/proc/")) throw Object.assign(new Error(), { code: "ENOENT" });
      return real(path, ...(options as [])) as never;
    });
    const server = await listening();
    const engine = engineAt(`127.0.0.1:${server.port}`);
    expect(engine.run.trim()).toBe(`127.0.0.1:${server.port}`);
    expect(await engine.isRunning()).toBe(true);
    await server.close();
    expect(await engine.isRunning()).toBe(false);
  });

  const onLinux = process.platform === "linux" ? test : test.skip;
  onLinux("is looked for in the tables of sockets only as long as there is no connection to it", async () => {
    const { port, kill } = await listeningElsewhere();
    const engine = engineAt(`127.0.0.1:${port}`);
    const read = jest.spyOn(fs, "readFileSync");
    const running = [];
    for (let write = 0; write < 100; write++) running.push(await engine.isRunning());
    const tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    expect([...new Set(running)]).toEqual([true]);
    expect(read.mock.calls.map(([path]) => path)).toEqual(tables);
    await kill();
    expect(await engine.isRunning()).toBe(false);
    expect(read.mock.calls.map(([path]) => path)).toEqual([...tables, ...tables]);
  });

  onLinux(
    "is another one if a later engine gets the same port, which has no facts of the earlier one",
    async () => {
      const first = await listening();
      const address = `127.0.0.1:${first.port}`;
      const engine = engineAt(address);
      ledgerOf(() => engine.run).add("project a");
      await first.close();
      const second = await listening(first.port);
      expect(await engine.isRunning()).toBe(false);
      expect(ledgerOf(() => engineAt(address).run).has("project a")).toBe(false);
      await second.close();
    },
  );
});
