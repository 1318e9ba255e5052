/**
 * Finds the clause of an exception (Camel: DefaultExceptionPolicyStrategy for onException, CatchProcessor for doCatch).
 */

import { exceptionType } from "./exception.ts";
import { distance, fullClassName } from "./exception-classes.ts";
import type { Exchange } from "./exchange.ts";
import type { Predicate } from "./processor.ts";

export interface ExceptionClause {
  /** Class names. */
  readonly exceptions: readonly string[];
  readonly onWhen: Predicate | undefined;
}

/**
 * Removes replaced clauses: of clauses of the same class without `onWhen`, the last one takes the place of the first
 * (Camel: ExceptionPolicyKey). A clause keeps the classes that no later one has.
 */
export function withoutReplaced<C extends ExceptionClause>(clauses: readonly C[]): readonly C[] {
  const lastOf = new Map<string, C>();
  for (const clause of clauses) {
    if (clause.onWhen !== undefined) continue;
    for (const name of clause.exceptions) lastOf.set(fullClassName(name), clause);
  }
  return clauses
    .map((clause) =>
      clause.onWhen === undefined
        ? { ...clause, exceptions: clause.exceptions.filter((name) => lastOf.get(fullClassName(name)) === clause) }
        : clause,
    )
    .filter(({ exceptions }) => exceptions.length > 0);
}

/** The most causes that are followed. */
const maxCauses = 32;

/** Lists the error and its causes, the outermost first. */
export function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && chain.length < maxCauses; ) {
    if (chain.includes(at)) break;
    chain.push(at);
    at = at instanceof Error ? at.cause : undefined;
  }
  return chain;
}

/**
 * Finds the clause of the closest class: from the innermost cause outwards, the clause whose class is nearest. An exact
 * match ends the search; of equal matches the first counts. A clause whose `onWhen` is false does not count.
 */
export function closestClause<C extends ExceptionClause>(
  clauses: readonly C[],
  error: unknown,
  exchange: Exchange,
): C | undefined {
  let best: C | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const cause of [...causesOf(error)].reverse()) {
    const type = exceptionType(cause);
    for (const clause of clauses) {
      const near = nearest(clause, type);
      if (near === undefined || near >= bestDistance || clause.onWhen?.(exchange) === false) continue;
      best = clause;
      bestDistance = near;
    }
    if (bestDistance === 0) break;
  }
  return best;
}

/** Finds the first clause with a class of any exception in the chain of causes. */
export function firstClause<C extends ExceptionClause>(
  clauses: readonly C[],
  error: unknown,
  exchange: Exchange,
): C | undefined {
  const types = causesOf(error).map(exceptionType);
  return clauses.find(
    (clause) => types.some((type) => nearest(clause, type) !== undefined) && clause.onWhen?.(exchange) !== false,
  );
}

function nearest({ exceptions }: ExceptionClause, type: string): number | undefined {
  let least: number | undefined;
  for (const wanted of exceptions) {
    const far = distance(type, wanted);
    if (far !== undefined && (least === undefined || far < least)) least = far;
  }
  return least;
}

/** Whether the class of the failure or of a cause is in the list, or is a subclass of one there. */
export function isOneOf(error: unknown, classes: readonly string[]): boolean {
  if (classes.length === 0) return false;
  const types = causesOf(error).map(exceptionType);
  return classes.some((wanted) => types.some((type) => distance(type, wanted) !== undefined));
}
