/**
 * The data model of the service: every object, response and request body of its API, as a schema and the type that is
 * derived from it, in a file for each section of the reference.
 *
 * Their operations are in testing/emulator/contract/openapi.yaml. A schema that is named after an operation, such as
 * createProject, is the request body of that operation.
 *
 * Where a request has a choice, a response has text: the service may add values, which must not stop a command.
 *
 * Names are in camelCase; on the wire, they are in snake_case. Times are kept as the text that the service sends.
 */
export * from "./application";
export * from "./credential";
export * from "./customDomain";
export type { OrOther } from "./formats";
export * from "./link";
export * from "./lists";
export * from "./project";
export * from "./skin";
