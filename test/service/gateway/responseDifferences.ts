/** How a response differs from the service's description, with which the emulator validates its own, and what is remarkable. */
import type { Contract } from "../../../testing/emulator/contract/contract";

interface Response {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly answer: unknown;
}

/** A schema, as far as it says which fields there are. */
interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly additionalProperties?: boolean;
  readonly properties?: { readonly [name: string]: Schema };
}

/** Any service may limit rates and be unavailable, and no operation need document it. */
const TEMPORARY = [429, 503];

/** The differences, each as a sentence without values, so that equal ones can be counted. */
export function differencesOf(contract: Contract, response: Response): string[] {
  const { status, headers, answer } = response;
  const operation = operationOf(contract, response);
  const errors = operation === undefined ? [] : contract.answerErrors(operation, status, answer);
  const retryAfter = headers["retry-after"] ?? "0";
  const wrong: Record<string, boolean> = {
    "the header x-request-id is missing": status >= 400 && !headers["x-request-id"],
    "the header Retry-After is neither seconds nor a date":
      !/^\d+$/.test(retryAfter) && Number.isNaN(Date.parse(retryAfter)),
  };
  const found = [
    ...errors.map((error) => error.replace(/\.\d+(?=[. ])/g, "")),
    ...Object.keys(wrong).filter((difference) => wrong[difference]),
  ];
  return [...new Set(found)].map((each) => `${operation?.operationId ?? response.path} ${status}: ${each}`);
}

/** What the description allows, but does not say: more fields, and a response without a date. */
export function remarksOf(contract: Contract, response: Response): string[] {
  const { status, headers, answer } = response;
  const operation = operationOf(contract, response);
  const schema = operation?.answers.get(status) as Schema | undefined;
  const fields = new Set(undocumentedIn(contract, schema ?? {}, answer));
  return [
    ...[...fields].map((field) => `${operation?.operationId} ${status}: ${field} is not documented`),
    ...(status === 503 && operation === undefined ? ["503: the service was unavailable"] : []),
    // A service that sends no dates does so in all responses.
    ...(headers.date === undefined ? ["the header Date is missing"] : []),
  ];
}

function operationOf(contract: Contract, { method, path, status }: Response) {
  const operation = contract.match(method, path)?.operation;
  return TEMPORARY.includes(status) && !operation?.answers.has(status) ? undefined : operation;
}

/** The paths of the fields that a schema lacks. Objects that allow none fail the validation. Each schema of a response has all its fields in one place. */
function undocumentedIn(contract: Contract, schema: Schema, value: unknown, path = ""): string[] {
  const { schemas } = contract.document.components;
  const { items, properties, additionalProperties }: Schema =
    schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
  if (Array.isArray(value)) return value.flatMap((item) => undocumentedIn(contract, items ?? {}, item, path));
  const isChecked = properties !== undefined && additionalProperties !== false;
  if (typeof value !== "object" || value === null || !isChecked) return [];
  return Object.entries(value).flatMap(([field, item]) => {
    const place = path === "" ? field : `${path}.${field}`;
    const known = properties[field];
    return known === undefined ? [place] : undocumentedIn(contract, known, item, place);
  });
}
