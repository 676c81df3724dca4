/** How a response differs from the service's description, with which the emulator validates its own. */
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
  readonly properties?: { readonly [name: string]: Schema };
}

/** The objects that may have fields which no document has. The option `extraFields` is about them. */
const OPEN_OBJECTS = /(?:logo_image|ownership_validation|ssl_validation_records(?:\.records)?)\.[^.]+$/;
/** Any service may limit rates, and no operation documents it. */
const RATE_LIMITED = 429;

/** The differences, each as a sentence without values, so that equal ones can be counted. */
export function differencesOf(
  contract: Contract,
  { method, path, status, headers, answer }: Response,
): string[] {
  const operation = status === RATE_LIMITED ? undefined : contract.match(method, path)?.operation;
  const errors = operation === undefined ? [] : contract.answerErrors(operation, status, answer);
  const schema = operation?.answers.get(status) as Schema | undefined;
  const retryAfter = headers["retry-after"] ?? "0";
  const wrong: Record<string, boolean> = {
    "the header x-request-id is missing": status >= 400 && !headers["x-request-id"],
    "the header Retry-After is neither seconds nor a date":
      !/^\d+$/.test(retryAfter) && Number.isNaN(Date.parse(retryAfter)),
  };
  const found = [
    ...errors.map((error) => error.replace(/\.\d+(?=[. ])/g, "")),
    ...undocumentedIn(contract, schema ?? {}, answer).map((field) => `${field} is not documented`),
    ...Object.keys(wrong).filter((difference) => wrong[difference]),
  ];
  // A service that sends no dates does so in all responses.
  const dateless = headers.date === undefined ? ["the header Date is missing"] : [];
  return [...new Set(found)]
    .map((each) => `${operation?.operationId ?? path} ${status}: ${each}`)
    .concat(dateless);
}

/** The paths of the fields that a schema lacks. Each schema of a response has all its fields in one place. */
function undocumentedIn(contract: Contract, schema: Schema, value: unknown, path = ""): string[] {
  const { schemas } = contract.document.components;
  const { items, properties }: Schema = schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
  if (Array.isArray(value)) return value.flatMap((item) => undocumentedIn(contract, items ?? {}, item, path));
  if (typeof value !== "object" || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([field, item]) => {
    const place = path === "" ? field : `${path}.${field}`;
    const known = properties[field];
    if (known !== undefined) return undocumentedIn(contract, known, item, place);
    return OPEN_OBJECTS.test(place) ? [] : [place];
  });
}
