/** The limit of parallel operations. */
import { limit } from "../../../testing/engine/run/limit";

/** Limited calls, which record their start and end when a test says so. */
function observed(count: number) {
  const started: string[] = [];
  const limited = limit(count);
  const call = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const start = () => {
      started.push(name);
      return promise;
    };
    return { result: limited(start), end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  return { started, call };
}

test("as many calls run at the same time as allowed, and the others start in order as those end", async () => {
  const { started, call } = observed(2);
  const [a, b, c, d] = [call("a"), call("b"), call("c"), call("d")];
  expect(started).toEqual(["a", "b"]);
  b.end();
  expect(await b.result).toBe("b");
  expect(started).toEqual(["a", "b", "c"]);
  for (const { end } of [a, c, d]) end();
  expect(await Promise.all([a.result, c.result, d.result])).toEqual(["a", "c", "d"]);
  expect(started).toEqual(["a", "b", "c", "d"]);
});

test("work that fails makes room for the next, and a call that comes later does not take its place", async () => {
  const { started, call } = observed(1);
  const [a, b] = [call("a"), call("b")];
  a.fail();
  await expect(a.result).rejects.toThrow("a");
  const c = call("c");
  expect(started).toEqual(["a", "b"]);
  b.end();
  expect(await b.result).toBe("b");
  c.end();
  expect(await c.result).toBe("c");
  void call("d");
  expect(started).toEqual(["a", "b", "c", "d"]);
});
