/** The limit of parallel operations. */
import { limit } from "../../../testing/engine/run/limit";

/** Work that records its start, and ends when it is told to. */
function observed() {
  const started: string[] = [];
  const end = new Map<string, { resolve(value: string): void; reject(error: Error): void }>();
  const work = (name: string) => (): Promise<string> => {
    started.push(name);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    end.set(name, { resolve, reject });
    return promise;
  };
  return {
    started,
    work,
    end: (name: string) => end.get(name)?.resolve(name),
    fail: (name: string) => end.get(name)?.reject(new Error(name)),
  };
}

test("as many calls run at the same time as allowed, and the others start in order as those end", async () => {
  const { started, work, end } = observed();
  const limited = limit(2);
  const results = ["a", "b", "c", "d"].map((name) => limited(work(name)));
  expect(started).toEqual(["a", "b"]);
  end("b");
  expect(await results[1]).toBe("b");
  expect(started).toEqual(["a", "b", "c"]);
  end("a");
  expect(await results[0]).toBe("a");
  expect(started).toEqual(["a", "b", "c", "d"]);
  end("c");
  end("d");
  expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
});

test("work that fails makes room for the next, and a call that comes later does not take its place", async () => {
  const { started, work, end, fail } = observed();
  const limited = limit(1);
  const failing = limited(work("a"));
  const second = limited(work("b"));
  fail("a");
  await expect(failing).rejects.toThrow("a");
  const third = limited(work("c"));
  expect(started).toEqual(["a", "b"]);
  end("b");
  expect(await second).toBe("b");
  expect(started).toEqual(["a", "b", "c"]);
  end("c");
  expect(await third).toBe("c");
  void limited(work("d"));
  expect(started).toEqual(["a", "b", "c", "d"]);
});
