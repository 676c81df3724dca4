/** The settings that the engine passes to the plugin. */
import { configurationFailures, settingsFromArguments } from "../../../provider/hosts/plugin/configuration";

test.each<[stack: string | undefined, readOnly: unknown, expected: unknown]>([
  [undefined, undefined, undefined],
  [undefined, "true", "true"],
  [undefined, 1, "1"],
  ["{}", true, "true"],
  ['{"dynamiclink:readOnly":"true"}', undefined, undefined],
  ['{"readOnly":"true"}', undefined, "true"],
  ['{"readOnly":"true"}', "false", "true"],
  ['{"readOnly":"false"}', true, "true"],
  ['{"readOnly":"1"}', false, "1"],
  ['{"readOnly":"yes"}', false, "yes"],
])("with the configuration %s and the argument %j, read-only is %j", (stack, readOnly, expected) => {
  const environment = stack === undefined ? {} : { PULUMI_CONFIG: stack };
  expect(settingsFromArguments({ readOnly, apiKey: "key" }, environment)).toMatchObject({ apiKey: "key" });
  expect(settingsFromArguments({ readOnly }, environment).readOnly).toBe(expected);
});

test("the arguments of the engine are no settings", () => {
  const options = { environment: { DYNAMICLINK_API_KEY: "key" } };
  const names = ["version", "pluginDownloadURL", "pluginChecksums", "parameterization", "__internal"];
  expect(
    configurationFailures(
      { ...Object.fromEntries(names.map((name) => [name, "1"])), apiUrl: "https://links.shop.example" },
      options,
    ),
  ).toEqual([]);
  for (const name of ["apikey", "internal__"])
    expect(configurationFailures({ [name]: "1" }, options)).toEqual([expect.stringContaining(name)]);
});
