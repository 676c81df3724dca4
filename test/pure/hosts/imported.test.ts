/** Entries that the command `import` of version 0.4.0 wrote. */
import { refuseImported } from "../../../provider/hosts/dynamic/dynamicProvider";

test.each([[true], [["name"]]])("an entry with the mark %j is refused, with the way out", (mark) => {
  expect(() => refuseImported("application", { name: "Shop", __imported: mark })).toThrow(
    /^This entry of an application was imported by version 0\.4\.0.*\n.*\n.*\n {2}pulumi state delete/,
  );
});

test("an entry without it is not", () => {
  refuseImported("application", { name: "Shop", __import: "" });
});
