/** Bodies through a flow of one `marshal` or `unmarshal`, written as YAML: `json: {prettyPrint: true}`. */
import assert from "node:assert/strict";
import { asText } from "../../../src/workers/engine/convert.ts";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { type RouteOptions, type RouteOutcome, runSteps } from "../../support/run-route.ts";

export async function outcomeOf(steps: string, body: unknown, options: RouteOptions = {}): Promise<RouteOutcome> {
  const outcome = await runSteps(steps, { ...options, body });
  if (outcome.error !== undefined) throw outcome.error;
  return outcome;
}

/** The text of the bytes that come out. */
export async function marshalled(format: string, body: unknown, options: RouteOptions = {}): Promise<string> {
  const { exchange } = await outcomeOf(`- marshal: {${format}}`, body, options);
  assert.ok(exchange.message.body instanceof Uint8Array, "a marshalled body is bytes");
  return asText(exchange.message.body);
}

/** The value that comes out, its maps as objects like any other. */
export async function unmarshalled(format: string, body: unknown, options: RouteOptions = {}): Promise<unknown> {
  const { exchange } = await outcomeOf(`- unmarshal: {${format}}`, body, options);
  const { body: value } = exchange.message;
  return value === null || value instanceof Uint8Array ? value : JSON.parse(JSON.stringify(value));
}

/** What a run fails with, as `type: message`. */
export async function failureOf(steps: string, body: unknown, options: RouteOptions = {}): Promise<string> {
  const { error } = await runSteps(steps, { ...options, body });
  return error === undefined ? "no failure" : `${exceptionType(error)}: ${exceptionMessage(error)}`;
}

/** The diagnostics of a flow that is refused. */
export async function refusalOf(steps: string): Promise<string> {
  try {
    await runSteps(steps);
  } catch (error) {
    return exceptionMessage(error);
  }
  return "accepted";
}
