/**
 * A client for all 30 operations of the service's HTTP API, for your own programs.
 *
 * @example
 * import { createClient, NotFoundError } from "pulumi-dynamiclink/client";
 */
import "../requireNode";

export type { Client, OperationFunction, OperationFunctions } from "./client";
export { createClient } from "./client";
export type { Method } from "./connection/http";
export * from "./errors";
export type * from "./model";
export type { BodyMaker, CallBounds, OperationAnswer, OperationId, OperationRequest } from "./operations";
export * from "./options";
export type { Effect } from "./retry";
