/** Calls the functions of the native plugin, which run in its process. */
import { NATIVE_HOST } from "../../provider/hosts/hosts";
import { functionForms } from "../functionForms";
import { invokeFunction } from "../program/invokeFunction";
import { reportPlainKey } from "../program/stackConfiguration";
import { RELEASED_PLUGIN } from "./releasedPlugin";
import { requirePlugin } from "./requirePlugin";

export const { plain, output } = functionForms(NATIVE_HOST, async (name, args, options) => {
  requirePlugin();
  reportPlainKey();
  return await invokeFunction(name, args, { ...RELEASED_PLUGIN, ...options });
});
