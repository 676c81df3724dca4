/** The limit of parallel operations. */
import { limit } from "../../../testing/engine/run/limit";

/** Work that records its start, and ends when a test says so. */
function observed() {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const work = (name: string) => (): Promise<string> => {
    const end = Promise.withResolvers<string>();
    started.push(name);
    ends.set(name, end);
    return end.promise;
  };
  return { started, work, end: (name: string) => ends.get(name)?.resolve(name), ends };
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
  const { started, work, end, ends } = observed();
  const limited = limit(1);
  const failing = limited(work("a"));
  const second = limited(work("b"));
  ends.get("a")?.reject(new Error("a"));
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
