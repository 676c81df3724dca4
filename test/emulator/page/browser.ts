/** A browser on PATH, controlled over its DevTools protocol. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The path of a browser. Undefined if none is on PATH. */
export const BROWSER = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((directory) => NAMES.map((name) => join(directory, name)))
  .find(isExecutable);

/** A page in the browser. */
export interface BrowserPage {
  /** What the browser reported: exceptions, and violations of the page's content security policy. */
  readonly problems: readonly unknown[];
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Waits until an expression is true in the page. */
  until(expression: string): Promise<void>;
  /** Presses a key in the element that has the focus. */
  press(key: "Enter"): Promise<void>;
}

/** A browser without a window. */
export interface Browser {
  /** Opens a page in a new tab. */
  open(url: string): Promise<BrowserPage>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

const LIMIT_MS = 30_000;

/** Starts the browser. */
export function startBrowser(): Browser {
  const profile = mkdtempSync(join(tmpdir(), "dynamiclink-browser-"));
  const child = spawn(
    BROWSER as string,
    ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", `--user-data-dir=${profile}`],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const problems = new Map<string, unknown[]>();
  const send = connect(child, ({ method, params, sessionId = "" }) => {
    if (method === "Runtime.exceptionThrown") problems.get(sessionId)?.push(params?.exceptionDetails);
    const entry = params?.entry as { readonly source?: string } | undefined;
    // The responses of refused requests are reported as well.
    if (method === "Log.entryAdded" && entry?.source !== "network") problems.get(sessionId)?.push(entry);
  });
  return {
    async open(url) {
      const { targetId } = await send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const found: unknown[] = [];
      problems.set(sessionId as string, found);
      const ask = (method: string, params: object = {}) => send(method, params, sessionId as string);
      for (const domain of ["Runtime", "Log", "Page"]) await ask(`${domain}.enable`);
      await ask("Page.navigate", { url });
      return pageOf(ask, found);
    },
    async close() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Ask = (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;

function pageOf(ask: Ask, problems: readonly unknown[]): BrowserPage {
  async function evaluate<Value>(expression: string): Promise<Value> {
    const answer = await ask("Runtime.evaluate", { expression, returnByValue: true });
    if (answer.exceptionDetails !== undefined)
      throw new Error(`${expression} failed: ${JSON.stringify(answer.exceptionDetails)}`);
    return (answer.result as { readonly value: Value }).value;
  }
  return {
    problems,
    evaluate,
    async until(expression) {
      const end = performance.now() + LIMIT_MS;
      while (!(await evaluate(expression))) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (performance.now() < end) continue;
        const text = await evaluate("document.body.innerText");
        throw new Error(`${expression} is not true after ${LIMIT_MS} ms:\n${text}`);
      }
    },
    async press(key) {
      const pressed = { key, windowsVirtualKeyCode: 13 };
      await ask("Input.dispatchKeyEvent", { type: "keyDown", ...pressed, text: "\r" });
      await ask("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
    },
  };
}

/** Connects to the browser's pipes. Returns a function that sends a command and resolves with its result. */
function connect(child: ChildProcess, onEvent: (message: Message) => void) {
  const [, , , commands, messages] = child.stdio as unknown as readonly [
    null,
    null,
    null,
    Writable,
    Readable,
  ];
  const waiting = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  let count = 0;
  let received = "";
  messages.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (received + chunk).split("\0");
    received = parts.pop() ?? "";
    for (const part of parts) {
      const message = JSON.parse(part) as Message;
      const waiter = waiting.get(message.id ?? 0);
      if (waiter === undefined) onEvent(message);
      else if (message.error === undefined) waiter.resolve(message.result ?? {});
      else waiter.reject(new Error(message.error.message));
    }
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("The browser has ended."));
  });
  // Commands that nobody waits for any more when the browser is killed.
  commands.on("error", () => {});
  return (method: string, params: object, sessionId?: string) => {
    count += 1;
    const waiter = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    waiting.set(count, waiter);
    commands.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`);
    return waiter.promise;
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
