/** Maps one message by a document, through the step in a compiled flow. */
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import { type RouteOptions, type RouteOutcome, routeOf, runRoute } from "../../support/run-route.ts";
import { mappingsOf } from "../../support/with-mappings.ts";

export interface MapOptions extends RouteOptions {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, string>>;
  /** The step, `messageMapping: m` by default. */
  readonly step?: string;
}

export async function outcomeOf(document: unknown, body: unknown, options: MapOptions = {}): Promise<RouteOutcome> {
  const { values = {}, params = {}, step = "messageMapping: m", ...route } = options;
  const mappings = await withModules(() => mappingsOf(values, { m: document }, params));
  return runRoute(routeOf(`- ${step}`), { body: asBody(body), mappings, ...route });
}

/** The new body. Throws what the step fails with. */
export async function mapped(document: unknown, body: unknown, options: MapOptions = {}): Promise<unknown> {
  const { exchange, error } = await outcomeOf(document, body, options);
  if (error !== undefined) throw error;
  return exchange.message.value;
}

/** `type: message` of the step's failure. */
export async function failureOf(document: unknown, body: unknown, options: MapOptions = {}): Promise<string> {
  const { error } = await outcomeOf(document, body, options);
  return error === undefined ? "no failure" : `${exceptionType(error)}: ${exceptionMessage(error)}`;
}

/** A text is the body itself, anything else is sent as JSON. */
function asBody(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
