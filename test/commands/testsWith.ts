/** Tests of the commands against an emulator. */
import { type Emulator, type Seed, startEmulator } from "../../testing/emulator";
import { testOnCli } from "../support/processes/pulumiCli";

type ServiceTest<Row extends unknown[] = []> = (service: Emulator, ...row: Row) => Promise<void>;

/** Runs a test against an emulator. No answer may break the interface. */
async function withService(seed: Seed, test: ServiceTest): Promise<void> {
  await using service = await startEmulator({ seed });
  await test(service);
  expect(service.violations).toEqual([]);
  // The commands never write to the service.
  expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
}

/** Functions in place of `test` and the like, for tests whose first argument is an emulator with these objects. */
export function testsWith(seed: Seed) {
  const onService = (body: ServiceTest) => () => withService(seed, body);
  function registering(register: jest.It) {
    return Object.assign((name: string, body: ServiceTest) => register(name, onService(body)), {
      each<Row extends unknown[] | [unknown]>(rows: readonly Row[]) {
        return (name: string, body: ServiceTest<Row>) =>
          register.each(rows)(name, (...row) => withService(seed, (service) => body(service, ...row)));
      },
    });
  }
  return {
    test: registering(test),
    /** For a stubbed CLI, which is a shell script. */
    testOnShell: registering(process.platform === "win32" ? test.skip : test),
    testOnCli: (name: string, body: ServiceTest, programs?: readonly string[]) =>
      testOnCli(name, onService(body), programs),
  };
}
