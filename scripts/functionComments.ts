/** The doc comments of both forms of the functions, which follow from those of their declarations. */
import { FUNCTIONS, type FunctionName, type PackageFunction } from "../provider/resources/functions";
import { FUNCTIONS_MODULE, scopeSentence } from "./schema/declarations";
import { commentOf } from "./sourceDocs";

/** The doc comments of both forms of a function. @throws Error if the declaration lacks a part of them. */
export function functionComments(name: string) {
  const declared: PackageFunction = FUNCTIONS[name as FunctionName];
  const outputName = `${name}Output`;
  const { text, throws, examples } = commentOf(FUNCTIONS_MODULE, `FUNCTIONS.${name}`);
  const [example = "", outputExample = ""] = examples;
  const hasExamples = example.includes(`${name}(`) && outputExample.includes(`${outputName}(`);
  if (text === "" || throws === undefined || !hasExamples)
    throw new Error(
      `${name} needs a doc comment in ${FUNCTIONS_MODULE} with a text, @throws, and an @example of ${name} and one of ${outputName}.`,
    );
  const [argument] = Object.keys(declared.args);
  const form =
    argument === undefined
      ? "but returns an Output."
      : `but \`${argument}\` may be an Output. In preview, the result is unknown if \`${argument}\` is, for example because its resource has not been created yet.`;
  const scopes = scopeSentence(declared);
  const outputText = `The same as {@link ${name}}, ${form} ${scopes}`;
  return [
    { form: name, text: `${text} ${scopes}`, throws, example },
    { form: outputName, text: outputText, throws, example: outputExample },
  ] as const;
}

/** The doc comments of both forms of all functions, as in the source, by name. */
export function functionDocs(): Map<string, string> {
  const comments = Object.keys(FUNCTIONS).flatMap(functionComments);
  return new Map(
    comments.map(({ form, text, throws, example }) => {
      const comment = `${text}\n\n@throws ${throws}\n@example\n\`\`\`typescript\n${example}\n\`\`\``;
      return [form, `/**\n${comment.replace(/^/gm, " * ").replace(/ +$/gm, "")}\n */`];
    }),
  );
}
