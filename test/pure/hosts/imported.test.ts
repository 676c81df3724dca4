/** Entries that `pulumi import` wrote, and no `pulumi up` since. */
import { refuseImported } from "../../../provider/hosts/dynamic/dynamicProvider";

test.each([[true], [["name"]]])("an entry with the mark %j is refused, with the way out", (mark) => {
  expect(() => refuseImported("application", { name: "Shop", __imported: mark })).toThrow(
    /^This entry of an application was imported with all values .* First run `pulumi up` with the native plugin\.$/,
  );
});

test("an entry without it is not", () => {
  refuseImported("application", { name: "Shop", __import: "" });
});
