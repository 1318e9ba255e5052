/** Serializes the exchange for a script as JSON text, and applies the changes that the script returns. */

import { holdsLongNumber } from "../../../shared/exact-json.ts";
import { type Level, levels } from "../../../shared/protocol.ts";
import { asValue } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { jsonNode } from "../../engine/json-node.ts";
import { JsonText } from "../../engine/message.ts";
import { readable } from "../../engine/message-text.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { setProperty, setVariable } from "../../engine/variables.ts";
import { writeJson } from "../../engine/write-json.ts";

/** The most lines that a script may log. */
const maxLines = 100;

/** Serializes an exchange. Throws LimitExceededException for one that is larger than a message may be. */
export function exchangeAsJson(exchange: Exchange): string {
  const text = written(exchange);
  // The prelude converts such numbers only with this mark, since the conversion is slow in the interpreter.
  return holdsLongNumber(text) ? `{"exact":true,${text.slice(1)}` : text;
}

function written(exchange: Exchange): string {
  const { message, run } = exchange;
  const { body } = message;
  const parsed = body instanceof JsonText && typeof body.value === "object" && body.value !== null;
  return writeJson(
    {
      ...(parsed ? { bodyText: body.text } : { body: asValue(readable(exchange, body)) }),
      headers: [...message.headers.entries()],
      properties: [...exchange.properties],
      variables: [...exchange.variables, ...sharedVariables(exchange)],
      exchangeId: exchange.id,
      fromRouteId: exchange.fromRouteId,
      pattern: exchange.pattern,
      maxLines,
    },
    // The JSON contains JSON texts, whose quotes are escaped.
    2 * run.limits.messageBodyBytes,
  );
}

/** By their full names, and those of the present route without its id, too. */
function* sharedVariables({ run, routeId }: Exchange): Generator<readonly [string, unknown]> {
  const own = `route:${routeId}:`;
  for (const [name, value] of run.shared?.entries() ?? []) {
    yield [name, value];
    if (name.startsWith(own)) yield [`route:${name.slice(own.length)}`, value];
  }
}

interface Changes {
  readonly result: unknown;
  /** The new body; absent when it is unchanged. */
  readonly body?: unknown;
  /** Changed headers; null removes one. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly lines: readonly (readonly [level: Level, text: string])[];
}

/** Applies the script's changes, logs its lines, and returns its value. */
export function applyChanges(exchange: Exchange, text: string): unknown {
  const changes = parseJson(text) as Changes;
  const { message, run } = exchange;
  for (const [level, line] of changes.lines) {
    if (levels.includes(level) && run.logs(level)) run.log(exchange.step, level, "", line);
  }
  const node = (value: unknown): unknown => jsonNode(value, run.limits.messageBodyBytes);
  for (const [name, value] of Object.entries(changes.headers)) {
    if (value === null) message.headers.delete(name);
    else message.headers.set(name, node(value));
  }
  for (const [name, value] of Object.entries(changes.properties)) setProperty(exchange, name, node(value));
  for (const [name, value] of Object.entries(changes.variables)) setVariable(exchange, name, node(value));
  if (changes.body !== undefined) message.body = node(changes.body);
  return node(changes.result);
}
