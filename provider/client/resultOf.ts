/** From what became of a request to what a caller gets: a value, or an error. */

import { parseAnswer } from "../schema";
import { aboutAnother } from "./aboutAnother";
import {
  AnswerError,
  CancelledError,
  type ClientError,
  ConnectionError,
  type FailureFacts,
  RedirectError,
  type Refusal,
  serviceError,
  TimeoutError,
} from "./errors";
import { type HttpAnswer, type HttpOutcome, MAX_ANSWER_BYTES } from "./http";
import type { Operation } from "./operations";
import type { Printable } from "./printable";
import type { RequestValues } from "./requestFor";

/** A value, or the error to make when the facts of the call are known. */
export type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; error(facts: FailureFacts): ClientError };

const MAX_WORDS = 10;

/** Makes of what became of a request what its caller gets. */
export function resultOf(
  operation: Operation,
  values: RequestValues,
  outcome: HttpOutcome,
  printable: Printable,
): Result {
  switch (outcome.kind) {
    case "answer":
      return answerResult(operation, values, outcome, printable);
    case "failure":
      return failed((facts) => new ConnectionError(facts, printable(outcome.reason)));
    case "timeout":
      return failed((facts) => new TimeoutError(facts, outcome.reason));
    case "cancellation":
      return failed((facts) => new CancelledError(facts, outcome.reason));
  }
}

function answerResult(
  operation: Operation,
  values: RequestValues,
  answer: HttpAnswer,
  printable: Printable,
): Result {
  const { status } = answer;
  if (status >= 400) return failed((facts) => serviceError(facts, refusalOf(answer, printable)));
  if (status >= 300) {
    const location = answer.header("location");
    const shown = location === undefined ? undefined : printable(location);
    return failed((facts) => new RedirectError(facts, { status, location: shown }));
  }
  if (operation.answer === undefined) return { ok: true, value: undefined };
  const unreadable = (problems: readonly string[]) =>
    failed((facts) => new AnswerError(facts, { status, problems }));
  if (answer.body === undefined) return unreadable([`it is larger than ${MAX_ANSWER_BYTES} bytes`]);
  if (answer.body === "") return unreadable(["it is empty"]);
  const json = parseJson(answer.body);
  if (json === undefined) {
    const contentType = answer.header("content-type") ?? "";
    // What calls itself JSON and is none would contradict itself here.
    const instead = contentType === "" || /json/i.test(contentType) ? "" : ` but ${printable(contentType)}`;
    return unreadable([`it is not JSON${instead}`]);
  }
  const parsed = parseAnswer(operation.answer, json);
  if (!parsed.ok) return unreadable(parsed.problems);
  const contradictions = aboutAnother(operation, values, parsed.value);
  if (contradictions.length > 0) return unreadable(contradictions);
  return { ok: true, value: unwrapped(operation, parsed.value) };
}

function failed(error: (facts: FailureFacts) => ClientError): Result {
  return { ok: false, error };
}

// Reference 7.
/** What the service says of an error, if it says anything that can be read. */
function refusalOf({ status, body }: HttpAnswer, printable: Printable): Refusal {
  const { message, error } = Object(parseJson(body ?? "")) as { message?: unknown; error?: unknown };
  const words = [message]
    .flat()
    .filter((word) => typeof word === "string")
    .slice(0, MAX_WORDS)
    .map(printable)
    .filter((word) => word !== "");
  return { status, words, code: typeof error === "string" ? printable(error) : undefined };
}

/** The content type is not asked: services and proxies are careless with it, and JSON is told by reading it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unwrapped({ unwrap }: Operation, value: unknown): unknown {
  return unwrap === undefined ? value : Reflect.get(Object(value), unwrap);
}
