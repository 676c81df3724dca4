/** Variables with which processes load Pulumi's SDK as those of the test engine do: in a third of the time. */
import { join } from "node:path";
import { compileCache } from "../../../testing/engine/process/compileCache";

const PRELOAD = join(__dirname, "../../../testing/engine/process/processPreload.ts");

export const QUICK_START = { ...compileCache(), NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}` };
