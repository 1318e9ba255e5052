/** Evaluates one text of a language as the only step of a flow. */
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import { JsonNode } from "../../../src/workers/engine/json-node.ts";
import { type RouteOptions, routeOf, runRoute } from "../../support/run-route.ts";

export interface InFlow extends RouteOptions {
  /** Attributes beside the text: `resultType`, options of the language. */
  readonly options?: Readonly<Record<string, unknown>>;
}

const noOptions = {};

/** The value, what an expression has made of JSON as data. Throws what the step fails with, or what is wrong with the flow. */
export async function resultOf(language: string, text: string, inFlow: InFlow = {}): Promise<unknown> {
  const { exchange, error } = await run(language, text, inFlow);
  if (error !== undefined) throw error;
  const value = exchange.variables.get("result") ?? null;
  return value instanceof JsonNode ? value.value : value;
}

export async function exchangeAfter(language: string, text: string, inFlow: InFlow = {}): Promise<Exchange> {
  const { exchange, error } = await run(language, text, inFlow);
  if (error !== undefined) throw error;
  return exchange;
}

/** Whether `filter` lets the message through. */
export async function holds(
  language: string,
  text: string,
  { options = noOptions, ...route }: InFlow = {},
): Promise<boolean> {
  const filter = {
    [language]: { expression: text, ...options },
    steps: [{ setVariable: { name: "result", constant: "yes" } }],
  };
  const { exchange, error } = await runRoute(routeOf(`- ${JSON.stringify({ filter })}`), route);
  if (error !== undefined) throw error;
  return exchange.variables.get("result") === "yes";
}

/** `type: message` of what it fails with, undefined when it does not. */
export async function failureOf(language: string, text: string, inFlow: InFlow = {}): Promise<string | undefined> {
  const { error } = await run(language, text, inFlow);
  return error === undefined ? undefined : `${exceptionType(error)}: ${exceptionMessage(error)}`;
}

/** What a check says of the flow, "" when nothing. */
export async function refusalOf(
  language: string,
  text: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  try {
    await run(language, text, { options });
    return "";
  } catch (error) {
    return exceptionMessage(error);
  }
}

function run(language: string, text: string, { options = noOptions, ...route }: InFlow) {
  const key = language === "tokenize" ? "token" : "expression";
  const step = { setVariable: { name: "result", [language]: { [key]: text, ...options } } };
  return runRoute(routeOf(`- ${JSON.stringify(step)}`), route);
}
