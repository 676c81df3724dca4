/** The limit of parallel operations. */
import { limit } from "../../testing/engine/run/limit";

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

test("as many calls run at the same time as allowed, and the others start in order as those end or fail", async () => {
  const { started, call } = observed(2);
  const [a, b, c, d] = [call("a"), call("b"), call("c"), call("d")];
  expect(started).toEqual(["a", "b"]);
  b.fail();
  await expect(b.result).rejects.toThrow("b");
  // A call that comes later does not take the place of one that waits.
  const e = call("e");
  expect(started).toEqual(["a", "b", "c"]);
  for (const { end } of [a, c, d, e]) end();
  expect(await Promise.all([a.result, c.result, d.result, e.result])).toEqual(["a", "c", "d", "e"]);
  // There is room again for as many.
  for (const name of ["f", "g", "h"]) void call(name);
  expect(started).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
});
