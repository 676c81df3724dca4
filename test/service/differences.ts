/** How a response differs from the service's description, which is the one that the emulator validates with. */
import type { Contract } from "../../testing/emulator/contract/contract";
import type { Exchange } from "./gateway";

/** A schema, as far as it says which fields there are. */
interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
}

/** The objects that may have fields which no document has. The option `extraFields` is about them. */
const OPEN_OBJECTS = /(?:logo_image|ownership_validation|ssl_validation_records)\.[^.]+$/;

/** A status of a rate limit is expected from any service, and documented by none of its operations. */
const RATE_LIMITED = 429;

/** The differences of a response, each as a phrase without values, so that equal ones can be counted. */
export function differencesOf(contract: Contract, exchange: Exchange): string[] {
  const { method, path, status, headers, answer } = exchange;
  const operation = contract.match(method, path)?.operation;
  const documented =
    operation === undefined || status === RATE_LIMITED
      ? []
      : contract.answerErrors(operation, status, answer).map((error) => error.replace(/\.\d+(?=[. ])/g, ""));
  const schema = operation?.answers.get(status) as Schema | undefined;
  const fields = schema === undefined ? [] : undocumentedIn(contract, schema, answer, "");
  const { "retry-after": retryAfter } = headers;
  const wrong = [
    ...documented,
    ...fields.map((field) => `${field} is not documented`),
    ...(headers.date === undefined ? ["the header Date is missing"] : []),
    ...(status >= 400 && headers["x-request-id"] === undefined ? ["the header x-request-id is missing"] : []),
    ...(retryAfter === undefined || /^\d+$/.test(retryAfter) || !Number.isNaN(Date.parse(retryAfter))
      ? []
      : ["the header Retry-After is neither seconds nor a date"]),
  ];
  return [...new Set(wrong)].map((each) => `${operation?.operationId ?? path} ${status}: ${each}`);
}

/** The paths of the fields that a schema lacks. Each schema of a response has all its fields in one place. */
function undocumentedIn(contract: Contract, schema: Schema, value: unknown, path: string): string[] {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined)
    return undocumentedIn(contract, contract.document.components.schemas[name] as Schema, value, path);
  const { items, properties } = schema;
  if (Array.isArray(value) && items !== undefined)
    return value.flatMap((item) => undocumentedIn(contract, items, item, path));
  if (typeof value !== "object" || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([field, item]) => {
    const place = path === "" ? field : `${path}.${field}`;
    const known = properties[field];
    if (known !== undefined) return undocumentedIn(contract, known, item, place);
    return OPEN_OBJECTS.test(place) ? [] : [place];
  });
}
