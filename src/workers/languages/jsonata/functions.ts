/** Functions in addition to JSONata's own, and clock and random functions that tests fix to one value. */
import { randomUUID } from "node:crypto";
import { isPlainObject } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import { checkPicture } from "./guard.ts";
import type { Call, Jsonata } from "./library.ts";
import type { Session } from "./session.ts";

/** Adds the functions. `session()` returns the present session. */
export function addFunctions({ staticFrame, defineFunction }: Jsonata, session: () => Session): void {
  const added: Readonly<Record<string, readonly [Call, string]>> = {
    vmap: [
      (id: string, from: string, to: string, value: unknown, qualifiers?: unknown) =>
        mappedValue(session(), id, from, to, value, qualifiers),
      "<sssxo?:x>",
    ],
    uuid: [() => newUuid(session()), "<:s>"],
    random: [() => session().frozen?.random ?? Math.random(), "<:n>"],
  };
  for (const [name, [call, signature]] of Object.entries(added)) {
    staticFrame.bind(name, defineFunction(call, signature));
  }
}

/** Looks up a value. Like any JSONata function it returns undefined for an undefined value. */
export function mappedValue(
  { values }: Session,
  id: string,
  from: string,
  to: string,
  value: unknown,
  qualifiers?: unknown,
): unknown {
  if (value === undefined) return undefined;
  if (qualifiers !== undefined && !isPlainObject(qualifiers)) {
    throw new FlowException(
      "java.lang.IllegalArgumentException",
      "the fifth argument of $vmap is an object of qualifiers",
    );
  }
  return values(id).lookup(from, to, value, { qualifiers });
}

export function newUuid({ frozen }: Session): string {
  return frozen?.uuid ?? randomUUID();
}

/** Returns clock functions that replace the library's own, which read the clock at each evaluation. */
export function clockOf({ datetime, defineFunction }: Jsonata, session: () => Session): Clock {
  const now = (): number => session().now ?? Date.now();
  return {
    millis: defineFunction(now, "<:n>"),
    now: defineFunction((picture?: string, zone?: string) => {
      checkPicture(picture, session().budget);
      return datetime.fromMillis(now(), picture, zone);
    }, "<s?s?:s>"),
  };
}

export interface Clock {
  readonly millis: unknown;
  readonly now: unknown;
}
