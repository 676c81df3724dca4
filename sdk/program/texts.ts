/** Refuses values that would not reach the provider as the program means them, where the program declares them. */
import * as pulumi from "@pulumi/pulumi";
import { API_KEY_VARIABLE, CONFIGURATION_NAMESPACE } from "../../provider/service";
import { textProblems } from "../../provider/values/texts";
import { checkUuid } from "../../provider/values/uuid";
import { pathText, propertyAt } from "../../provider/values/walk";
import { runError } from "./runError";

/**
 * Requires the logical name and all text in the arguments to mean what they contain.
 *
 * @param subject the name of the declaration in messages. Default: the logical name.
 * @param mayShow whether the error may show the text of an argument. Default: none.
 * @throws RunError with the path of the text, and the text if it is not secret.
 */
export function requireTexts(
  name: string,
  args: object,
  {
    subject = name,
    mayShow = () => false,
  }: { readonly subject?: string; mayShow?(argument: string): boolean } = {},
): void {
  const [wrongName] = textProblems(name);
  const [wrong = wrongName] = wrongName ? [] : textProblems(args);
  if (wrong === undefined) return;
  const path = pathText(wrong.path);
  const where = wrongName ? "The name of a resource or provider" : `${subject}: ${path}`;
  const isShown = wrong.text !== undefined && (wrongName || mayShow(propertyAt(path)));
  throw runError(`${where} ${wrong.reason}.${isShown ? ` ${shown(wrong.text)}` : ""}`);
}

/** Requires a value to be a UUID in plain text. @throws RunError */
export function requireUuid(name: string, option: string, value: unknown): void {
  const [failure] = checkUuid(value, pulumi.Output.isInstance);
  if (failure === undefined) return;
  const isShown = Object(value) !== value && textProblems(value).length === 0;
  throw runError(`${name}: ${option} ${failure}${isShown ? ` ${shown(value)}` : ""}`);
}

/** A refused value as a sentence, without the API key, which may be there by mistake. */
function shown(value: unknown): string {
  const { hiding, sanitized } =
    require("../../provider/client/sanitized") as typeof import("../../provider/client/sanitized");
  const config = new pulumi.Config(CONFIGURATION_NAMESPACE);
  const variables = [API_KEY_VARIABLE, config.get("apiKeyEnvVar") ?? ""];
  const keys = [config.get("apiKey"), ...variables.map((variable) => process.env[variable])];
  const hidden = hiding(keys.filter((key) => key !== undefined));
  return `It is ${hidden(sanitized(JSON.stringify(value) ?? String(value)))}.`;
}
