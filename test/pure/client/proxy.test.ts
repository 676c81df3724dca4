/** Which values of HTTPS_PROXY are valid, and for which origins. Nothing is sent. */
import { connectTo } from "../../../provider/client/connection/http";

const SERVICE = "https://service.example";
const { https_proxy: saved } = process.env;
afterEach(() => {
  if (saved === undefined) delete process.env.https_proxy;
  else process.env.https_proxy = saved;
});

test.each([
  ["http://proxy.example:3128", SERVICE, true],
  ["proxy.example:8080", SERVICE, true],
  ["user:pass@proxy.example", SERVICE, true],
  ["user:1#@proxy.example", SERVICE, false],
  ["socks5://proxy.example", SERVICE, false],
  ["xhttp://proxy.example/", SERVICE, false],
  ["http://user/pass@proxy.example", SERVICE, false],
  ["http://user:pass?word@proxy.example", SERVICE, false],
  ["http://user:pass%zz@proxy.example", SERVICE, false],
  // The service is not reached through a proxy.
  ["socks5://proxy.example", "http://service.example", true],
  ["socks5://proxy.example", "https://127.0.0.1:1", true],
])("the proxy %s for %s is valid: %s", async (proxy, origin, isValid) => {
  process.env.https_proxy = proxy;
  const connect = () => connectTo(origin, 1_000);
  if (isValid) await connect().close();
  else expect(connect).toThrow(/^HTTPS_PROXY must be an http or https URL/);
});
