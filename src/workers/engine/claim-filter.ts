/**
 * Which parts of a message that was put aside are merged back, by Camel's grammar of filters (ClaimCheckAggregationStrategy):
 * parts between commas, `body`, `headers`, `header:pattern`, each with `+` (the same), `-` (left out) or `--` (removed) before it.
 */
import type { Message } from "./exchange.ts";
import { namePattern } from "./name-pattern.ts";

interface Part {
  readonly sign: "+" | "-" | "--";
  /** `body`, `headers`, `attachments`; undefined for a part about single headers. */
  readonly whole: string | undefined;
  /** Header names. */
  readonly matches: (name: string) => boolean;
}

/** Throws for a text that is no filter. */
export function claimFilter(filter: string): (message: Message, kept: Message) => void {
  if (filter === "" || filter === "*") {
    return (message, kept) => {
      message.body = kept.body;
      takeHeaders(message, kept, () => true);
    };
  }
  const parts = filter.split(",").map((part) => readPart(part.trim()));
  const merged = parts.filter(({ sign }) => sign !== "--");
  const onlyLeavesOut = merged.every(({ sign }) => sign === "-");
  const single = merged.filter(({ whole }) => whole === undefined);
  const named = single.filter(({ sign }) => sign === "+");
  const takesBody = taken(merged, "body") ?? onlyLeavesOut;
  const takesAll = taken(merged, "headers") ?? (onlyLeavesOut && single.length === 0);
  const takes = (name: string): boolean => {
    if (takesAll || single.length === 0) return takesAll;
    if (single.some(({ matches }) => matches(name))) return named.some(({ matches }) => matches(name));
    return named.length === 0;
  };
  const removed = parts.filter(({ sign }) => sign === "--");
  return (message, kept) => {
    if (takesBody) message.body = kept.body;
    takeHeaders(message, kept, takes);
    for (const part of removed) remove(message, part);
  };
}

function readPart(text: string): Part {
  const sign = text.startsWith("--") ? "--" : text.startsWith("-") ? "-" : "+";
  const rest = text.replace(/^(?:--|[-+])/, "");
  if (rest.startsWith("header:")) return { sign, whole: undefined, matches: namePattern(rest.slice("header:".length)) };
  // Messages have no attachments here, so there is nothing to merge.
  if (rest === "body" || rest === "headers" || rest === "attachments" || rest.startsWith("attachment:")) {
    return { sign, whole: rest, matches: () => rest === "headers" };
  }
  throw new Error(
    `'${text.slice(0, 100)}' is no part of a filter: write body, headers or header:pattern, after + - or --`,
  );
}

/** Whether the body, or all headers, are taken; undefined when no part says so. */
function taken(parts: readonly Part[], whole: string): boolean | undefined {
  const signs = parts.filter((part) => part.whole === whole).map(({ sign }) => sign);
  return signs.length === 0 ? undefined : signs.includes("+");
}

/** Headers that no step had set stay such: an answer carries only those that steps set. */
function takeHeaders({ headers }: Message, kept: Message, takes: (name: string) => boolean): void {
  const written = new Set(Array.from(kept.headers.written(), ([name]) => name));
  for (const [name, value] of kept.headers.entries()) {
    if (!takes(name)) continue;
    if (written.has(name)) headers.set(name, value);
    else headers.receive(name, value);
  }
}

function remove(message: Message, { whole, matches }: Part): void {
  if (whole === "body") message.body = null;
  const { headers } = message;
  for (const [name] of [...headers.entries()]) if (matches(name)) headers.delete(name);
}
