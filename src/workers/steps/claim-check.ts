/** The `claimCheck` step (Camel: ClaimCheckProcessor). Stored messages belong to one exchange. */

import { FlowException, limitExceeded } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Message } from "../engine/message.ts";
import { namePattern } from "../engine/name-pattern.ts";
import { defineStep } from "../engine/step.ts";
import { weight } from "../engine/weight.ts";

const operations = ["Get", "GetAndRemove", "Set", "Push", "Pop"] as const;
const property = "CamelClaimCheckRepository";
/** The most messages that one exchange may store. */
const mostClaims = 1000;

interface Claim {
  readonly message: Message;
  readonly bytes: number;
}

class ClaimRepository {
  readonly #byKey = new Map<string, Claim>();
  readonly #stack: Claim[] = [];
  #bytes = 0;

  /** Stored messages are not sent with a call to another flow. */
  toJSON(): undefined {
    return undefined;
  }

  /** Pushes a copy of the message on the stack. Throws LimitExceededException. */
  push({ message, run }: Exchange): void {
    this.#stack.push(this.#claim(message, run.limits.variableBytes));
  }

  /** Throws LimitExceededException. */
  set(key: string, { message, run }: Exchange): void {
    this.#gone(this.#byKey.get(key));
    this.#byKey.delete(key);
    this.#byKey.set(key, this.#claim(message, run.limits.variableBytes));
  }

  pop(): Message | undefined {
    return this.#gone(this.#stack.pop());
  }

  get(key: string): Message | undefined {
    return this.#byKey.get(key)?.message;
  }

  remove(key: string): Message | undefined {
    const claim = this.#byKey.get(key);
    this.#byKey.delete(key);
    return this.#gone(claim);
  }

  #claim(message: Message, most: number): Claim {
    const bytes = message[weight];
    if (this.#byKey.size + this.#stack.length >= mostClaims)
      throw new FlowException("LimitExceededException", `a claim check keeps at most ${mostClaims} messages`);
    if (this.#bytes + bytes > most) throw limitExceeded("variableBytes", `a claim check keeps at most ${most} bytes`);
    this.#bytes += bytes;
    return { message: message.copy(), bytes };
  }

  #gone(claim: Claim | undefined): Message | undefined {
    this.#bytes -= claim?.bytes ?? 0;
    return claim?.message;
  }
}

export const claimCheck = defineStep({
  name: "claimCheck",
  docs: "Puts the message aside (Set with a key, Push on a stack) and later merges it back (Get, GetAndRemove, Pop), as `filter` says.",
  options: (z, { oneOf, template, text, refused }) =>
    z
      .object({
        operation: oneOf(
          operations,
          "`Set` and `Push` put the message aside, under a key or on a stack; `Get`, `GetAndRemove` and `Pop` bring it back.",
        ),
        key: template("Names what is put aside; Get, GetAndRemove and Set need it.").optional(),
        filter: text(
          "Which parts come back: `body`, `headers` or `header:a*`, with commas between them; `-` before a part leaves it out, `--` removes it from the message. By default all.",
        ).optional(),
        aggregationStrategy: refused("say with filter which parts are merged"),
        aggregationStrategyMethodName: refused("say with filter which parts are merged"),
      })
      .refine(({ operation, key }) => key !== undefined || operation === "Push" || operation === "Pop", {
        message: "Get, GetAndRemove and Set need a key",
        path: ["key"],
      }),
  example: "claimCheck: { operation: Push }",
  compile({ operation, key, filter }, context) {
    const keyOf = key === undefined ? () => "" : context.text(key);
    const merge = claimFilter(filter ?? "");
    return (exchange) => {
      const claims = claimsOf(exchange);
      if (operation === "Push") return claims.push(exchange);
      const name = keyOf(exchange);
      if (operation === "Set") return claims.set(name, exchange);
      const kept = operation === "Pop" ? claims.pop() : operation === "Get" ? claims.get(name) : claims.remove(name);
      if (kept !== undefined) merge(exchange.message, kept);
    };
  },
});

/** As in Camel, copies of an exchange share its stored messages. */
function claimsOf(exchange: Exchange): ClaimRepository {
  const present = exchange.properties.get(property);
  if (present instanceof ClaimRepository) return present;
  const claims = new ClaimRepository();
  exchange.properties.set(property, claims);
  return claims;
}

/**
 * The parts of a stored message that are merged back, by Camel's grammar of filters (ClaimCheckAggregationStrategy):
 * parts between commas, `body`, `headers`, `header:pattern`, each with a prefix `+` (included, the default), `-`
 * (excluded) or `--` (removed).
 */
interface Part {
  readonly sign: "+" | "-" | "--";
  /** `body`, `headers` or `attachments`; undefined for a part about single headers. */
  readonly whole: string | undefined;
  /** Tests a header's name. */
  readonly matches: (name: string) => boolean;
}

/** Throws for a text that is not a filter. */
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
  // Messages have no attachments here, so there are none to merge.
  if (rest === "body" || rest === "headers" || rest === "attachments" || rest.startsWith("attachment:")) {
    return { sign, whole: rest, matches: () => rest === "headers" };
  }
  throw new Error(
    `'${text.slice(0, 100)}' is no part of a filter: write body, headers or header:pattern, after + - or --`,
  );
}

/** Whether the body, or all headers, are merged; undefined without a part about them. */
function taken(parts: readonly Part[], whole: string): boolean | undefined {
  const signs = parts.filter((part) => part.whole === whole).map(({ sign }) => sign);
  return signs.length === 0 ? undefined : signs.includes("+");
}

/** Headers that no step has set keep that state, because an answer only contains headers that steps set. */
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
