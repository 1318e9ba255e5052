/** Whether a route is built at all: its `precondition`, a `simple` predicate that sees no message (Camel). */
import { defaultLimits } from "../../shared/limits.ts";
import { ExpressionSyntaxError, exceptionMessage } from "../engine/exception.ts";
import { Exchange, Message } from "../engine/exchange.ts";
import { Headers } from "../engine/headers.ts";
import { Run, type RunSink } from "../engine/run.ts";
import type { Context } from "./context.ts";
import { describeNode, entryOf, type MapNode, placeInside } from "./tree.ts";

const deaf: RunSink = {
  interest: 0,
  logLevel: 0,
  recordSteps: false,
  enter() {},
  log() {},
  trace() {},
  call: () => Promise.reject(new Error("a precondition calls no route")),
};

/** false: the route is left out. A `{{?name}}` without a value counts as false. */
export function preconditionHolds(route: MapNode, { definitions, report, scope }: Context): boolean {
  if (route.dropped.includes("precondition")) return false;
  const value = entryOf(route, "precondition")?.value;
  if (value === undefined || (value.kind === "scalar" && value.text === null)) return true;
  const text = value.kind === "scalar" ? value.text?.trim() : undefined;
  if (text === undefined) {
    report.error(
      "wrong_type",
      `'precondition' is true, false or a simple predicate; found ${describeNode(value)}`,
      value,
      scope,
    );
    return true;
  }
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const simple = definitions.catalog.languages.get("simple");
  try {
    return simple?.predicate?.(text, {})(blankExchange()) ?? false;
  } catch (error) {
    const where =
      error instanceof ExpressionSyntaxError && value.kind === "scalar" ? placeInside(value, error.index) : value;
    report.error("expression_syntax", `precondition: ${exceptionMessage(error)}`, where, scope);
    return true;
  }
}

function blankExchange(): Exchange {
  const run = new Run(deaf, defaultLimits, 0, 0);
  return new Exchange(run, "", new Message(defaultLimits, new Headers(defaultLimits), null));
}
