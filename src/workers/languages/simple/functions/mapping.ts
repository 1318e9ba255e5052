/**
 * `${vmap:id:from:to:value}` and `${vmap:id:value}` look up a value mapping; the second form is for a mapping of two
 * columns.
 */
import { idProblem } from "../../../../shared/ids.ts";
import { ExpressionSyntaxError } from "../../../engine/exception.ts";
import { hasFunction } from "../arguments.ts";
import type { Call, Eval, FunctionTable } from "../eval.ts";
import { decodeEscapes, isQuote, quoteEnd, skipFunction, unquote } from "../scan.ts";

export const mappingFunctions: FunctionTable = { vmap };

/**
 * The value is a text that may contain functions, in quotes when it has a colon. A value of only `${...}` keeps its
 * type.
 */
function vmap(call: Call): Eval {
  const usage = "write ${vmap:id:from:to:value}, or ${vmap:id:value} for a mapping with two columns";
  const parts = call.rest.startsWith(":") ? partsOf(call) : [];
  const value = parts.at(-1);
  if (value === undefined || (parts.length !== 2 && parts.length !== 4) || parts.some(({ text }) => text === ""))
    throw new ExpressionSyntaxError(usage, call.index);
  const names = parts.slice(0, -1);
  for (const { text, index } of names) {
    if (hasFunction(text)) {
      const message =
        "the id and the columns of ${vmap:...} are fixed texts: a flow is given the mappings that it names";
      throw new ExpressionSyntaxError(message, index);
    }
  }
  const [id = "", from, to] = names.map(({ text }) => decodeEscapes(unquote(text)));
  const problem = idProblem(id);
  if (problem !== undefined)
    throw new ExpressionSyntaxError(`${JSON.stringify(id.slice(0, 60))}: ${problem}`, call.index + 1);
  call.scope.context.useMapping("value", id);
  const quoted = unquote(value.text) !== value.text;
  const read = call.scope.expression(quoted ? unquote(value.text) : value.text, value.index + (quoted ? 1 : 0));
  return (exchange, body) => exchange.run.mappings.value(id).lookup(from, to, read(exchange, body));
}

interface Part {
  readonly text: string;
  readonly index: number;
}

/** Splits at colons outside functions and quotes, into four parts at most. */
function partsOf({ rest, index }: Call): Part[] {
  const parts: Part[] = [];
  let from = 1;
  for (let at = 1; at <= rest.length; ) {
    if (at === from && isQuote(rest.charCodeAt(at))) at = Math.max(quoteEnd(rest, at), at) + 1;
    else if (at === rest.length || (rest[at] === ":" && parts.length < 3)) {
      parts.push(partAt(rest, from, at, index));
      from = at + 1;
      at = from;
    } else at = Math.max(skipFunction(rest, at), at + 1);
  }
  return parts;
}

function partAt(rest: string, from: number, to: number, index: number): Part {
  const raw = rest.slice(from, to);
  return { text: raw.trim(), index: index + from + raw.length - raw.trimStart().length };
}
