// What the executables run if their first argument is a command.
require("../dist/cli/index.js");
