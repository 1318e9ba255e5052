/** What an assertion asks for, for a person. */
import { formatValue, type Place, pathOf } from "../../shared/comparison.ts";
import { describe, isMatcher, isObject } from "../../shared/matcher-operators.ts";
import type { CalledAssertion, ExpectedCall } from "./assertion.ts";

const mostClauses = 8;
const mostCharacters = 600;

/** `2 calls`, `no calls`, `at least 1 call`, `2 to 5 calls` */
export function countText({ least, most }: Pick<CalledAssertion, "least" | "most">): string {
  if (least === most) return calls(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${calls(least)}`;
  return least === 0 ? `at most ${calls(most)}` : `${least} to ${calls(most)}`;
}

export function calls(count: number): string {
  if (count === 0) return "no calls";
  return count === 1 ? "1 call" : `${count} calls`;
}

/** ` with body.id = 17, header orderId = "17"`; nothing when any call will do. */
export function callText(call: ExpectedCall | undefined): string {
  if (call === undefined) return "";
  const clauses: string[] = [];
  for (const [name, matcher] of Object.entries(call.headers ?? {}))
    clause(`header ${name}`, undefined, matcher, clauses);
  const others: string[] = [];
  if (call.body !== undefined) clause("body", undefined, call.body, others);
  if (call.uri !== undefined) clause("uri", undefined, call.uri, others);
  const all = [...others, ...clauses];
  const more = all.length > mostClauses ? ", ..." : "";
  const text = all.slice(0, mostClauses).join(", ") + more;
  return ` with ${text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text}`;
}

/** What an object must contain is told by its members. */
function clause(base: string, place: Place, matcher: unknown, clauses: string[]): void {
  if (clauses.length > mostClauses) return;
  const part = isMatcher(matcher) && Object.keys(matcher).length === 1 ? matcher["$contains"] : undefined;
  const members = isObject(part) && !isMatcher(part) ? Object.entries(part) : [];
  for (const [key, inner] of members) clause(base, { above: place, key }, inner, clauses);
  if (members.length > 0) return;
  const path = pathOf(place, base);
  clauses.push(isMatcher(matcher) ? `${path}: ${describe(matcher)}` : `${path} = ${formatValue(matcher)}`);
}
