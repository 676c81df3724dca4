// What the executables run.
require("../dist/provider/hosts/plugin/start.js");
