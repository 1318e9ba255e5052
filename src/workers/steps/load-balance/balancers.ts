/**
 * Balancers, which select the target of a message (Camel: RoundRobinLoadBalancer, RandomLoadBalancer, StickyLoadBalancer,
 * TopicLoadBalancer, FailOverLoadBalancer).
 */

import { repeat, runBranch, takeBranch } from "../../engine/branch.ts";
import { asText } from "../../engine/convert.ts";
import { isOneOf } from "../../engine/exception-match.ts";
import { PassedFailures } from "../../engine/handled.ts";
import type { Expression, Processor } from "../../engine/processor.ts";

/** The greatest sum of weights (Camel: WeightedRoundRobinLoadBalancer, WeightedRandomLoadBalancer). */
const greatestSum = 2 ** 31 - 1;

/** Throws for a text that does not have one weight per target. */
export function readWeights(text: string, delimiter: string, ways: number): readonly number[] {
  const parts = text.split(delimiter === "" ? "," : delimiter).map((part) => part.trim());
  if (parts.length !== ways) throw new Error(`distributionRatio has ${parts.length} weights for ${ways} steps`);
  const weights = parts.map((part) => {
    if (/^\d{1,9}$/.test(part)) return Number(part);
    throw new Error(
      `distributionRatio holds whole numbers such as 2${delimiter}3${delimiter}5, found '${part.slice(0, 100)}'`,
    );
  });
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0 || sum > greatestSum)
    throw new Error(`the weights of distributionRatio add up to between 1 and ${greatestSum}`);
  return weights;
}

/** A round has as many messages as the sum of the weights, and each target gets as many of them as its weight. */
export function weightedBalancer(
  ways: readonly Processor[],
  weights: readonly number[],
  roundRobin: boolean,
): Processor {
  const sum = weights.reduce((a, b) => a + b, 0);
  let left = [...weights];
  let leftSum = sum;
  let last = -1;
  const inTurn = (): number => {
    do last = (last + 1) % left.length;
    while (left[last] === 0);
    return last;
  };
  const atRandom = (): number => {
    let drawn = Math.floor(Math.random() * leftSum);
    return left.findIndex((weight) => {
      drawn -= weight;
      return drawn < 0;
    });
  };
  return (exchange) => {
    const chosen = roundRobin ? inTurn() : atRandom();
    left[chosen] = (left[chosen] as number) - 1;
    leftSum -= 1;
    if (leftSum === 0) {
      left = [...weights];
      leftSum = sum;
      last = -1;
    }
    return (ways[chosen] as Processor)(exchange);
  };
}

type Ways = readonly Processor[];

export function roundRobinBalancer(ways: Ways): Processor {
  const next = inTurn(ways);
  return (exchange) => (ways[next()] as Processor)(exchange);
}

export function randomBalancer(ways: Ways): Processor {
  return (exchange) => (ways[Math.floor(Math.random() * ways.length)] as Processor)(exchange);
}

/** Keys fall into this many groups; all messages of a group go to one target. */
const groups = 64 * 1024;

export function stickyBalancer(ways: Ways, keyOf: Expression): Processor {
  const next = inTurn(ways);
  const chosen = new Map<number, number>();
  return (exchange) => {
    const group = hashCode(keyOf(exchange)) % groups;
    const way = chosen.get(group) ?? next();
    chosen.set(group, way);
    return (ways[way] as Processor)(exchange);
  };
}

/** Each target gets a copy, one after another until one fails; the exchange itself continues unchanged. */
export function topicBalancer(ways: Ways): Processor {
  return (exchange) => {
    let at = 0;
    return repeat(exchange.run, () => {
      const way = ways[at++];
      if (way === undefined) return false;
      const pending = runBranch(way, exchange.copy());
      return pending === undefined ? true : pending.then(() => true);
    });
  };
}

export interface FailoverOptions {
  /** Failures of these classes lead to the next target; none: all failures do. */
  readonly exception: readonly string[];
  readonly roundRobin: boolean;
  /** true: begins with the target that succeeded last. */
  readonly sticky: boolean;
  /** Negative: as many as there are targets, and with roundRobin as many as a loop may have turns. */
  readonly maximumFailoverAttempts: number;
}

/** `by`: the step and its line. */
export function failoverBalancer(ways: Ways, options: FailoverOptions, by: string): Processor {
  const { exception, roundRobin, sticky, maximumFailoverAttempts: most } = options;
  const next = inTurn(ways);
  let lastGood = 0;
  return (exchange) => {
    let way = sticky ? lastGood : roundRobin ? next() : 0;
    let attempts = 0;
    let branch = exchange;
    let failures: PassedFailures | undefined;
    const { loopIterations } = exchange.run.limits;
    const done = (): boolean => {
      lastGood = way;
      takeBranch(exchange, branch);
      failures?.handled(exchange);
      return false;
    };
    const failed = (error: unknown): boolean => {
      attempts += 1;
      const over = exchange.run.cancelled || (exception.length > 0 && !isOneOf(error, exception));
      const exhausted = attempts > Math.min(most < 0 ? loopIterations : most, loopIterations);
      if (over) lastGood = way;
      if (over || exhausted || (way + 1 >= ways.length && !roundRobin)) {
        takeBranch(exchange, branch);
        throw error;
      }
      failures ??= new PassedFailures(by);
      failures.note(branch, error);
      way = (way + 1) % ways.length;
      if (roundRobin) next();
      return true;
    };
    return repeat(exchange.run, () => {
      branch = exchange.copy();
      let pending: void | Promise<void>;
      try {
        pending = runBranch(ways[way] as Processor, branch);
      } catch (error) {
        return failed(error);
      }
      return pending === undefined ? done() : pending.then(done, failed);
    });
  };
}

function inTurn({ length }: Ways): () => number {
  let last = -1;
  return () => {
    last = (last + 1) % length;
    return last;
  };
}

/** Java's String.hashCode of the value's text, as a non-negative number. */
function hashCode(value: unknown): number {
  if (value === null || value === undefined) return 37;
  let hash = 0;
  const text = asText(value);
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return Math.abs(hash);
}
