/** Operations with the same key do not overlap, whether they succeed or not. */
import { serializer } from "../../../provider/lifecycle/run/serializer";

test("an operation starts when those with its key have ended", async () => {
  const exclusively = serializer();
  const log: string[] = [];
  const run = (key: string, name: string, error?: Error) =>
    exclusively(key, async () => {
      log.push(`${name} starts`);
      await new Promise(setImmediate);
      log.push(`${name} ends`);
      if (error) throw error;
      return name;
    }).catch((reason: Error) => reason.message);
  const first = run("a", "1", new Error("failed"));
  const results = [run("a", "2"), run("b", "3")];
  expect(await first).toBe("failed");
  results.push(run("a", "4"));
  expect(await Promise.all(results)).toEqual(["2", "3", "4"]);
  const ofA = log.filter((line) => !line.startsWith("3"));
  expect(ofA).toEqual(["1", "2", "4"].flatMap((name) => [`${name} starts`, `${name} ends`]));
  expect(log.indexOf("3 starts")).toBeLessThan(log.indexOf("1 ends"));
});
