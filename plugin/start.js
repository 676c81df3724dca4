// What the executables run: see docs/internals/native-host.md#plugin-folder.
require("../dist/provider/hosts/plugin/start.js");
