/** What the tests themselves are built on. */
import { clearPulumiVariables } from "../support/processes/pulumiCli";
import { until } from "../support/processes/until";

test("a wait for a condition ends with it, or with an error that says what is missing", async () => {
  let asked = 0;
  await until(
    () => {
      asked += 1;
      return asked === 3;
    },
    () => "",
  );
  expect(asked).toBe(3);
  const waiting = until(
    () => false,
    () => "Nothing has come.",
    0,
  );
  await expect(waiting).rejects.toThrow(new Error("Waited 0 ms. Nothing has come."));
});

test("tests on the Pulumi CLI do not see the CLI's settings of the shell", () => {
  const environment = {
    HOME: "/home/you",
    PULUMI_HOME: "/pulumi",
    PULUMI_ACCESS_TOKEN: "token",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "1",
  };
  clearPulumiVariables(environment);
  expect(environment).toEqual({ HOME: "/home/you", PULUMI_HOME: "/pulumi" });
});
