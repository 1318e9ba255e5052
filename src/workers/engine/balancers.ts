/** Which way a message goes (Camel: RoundRobinLoadBalancer, RandomLoadBalancer, StickyLoadBalancer, TopicLoadBalancer, FailOverLoadBalancer). */
import { runBranch, takeBranch } from "./branch.ts";
import { asText } from "./convert.ts";
import { isOneOf } from "./exception-list.ts";
import { PassedFailures } from "./handled.ts";
import type { Expression, Processor } from "./processor.ts";
import { repeat } from "./repeat.ts";

type Ways = readonly Processor[];

export function roundRobinBalancer(ways: Ways): Processor {
  const next = inTurn(ways);
  return (exchange) => (ways[next()] as Processor)(exchange);
}

export function randomBalancer(ways: Ways): Processor {
  return (exchange) => (ways[Math.floor(Math.random() * ways.length)] as Processor)(exchange);
}

/** Keys fall into this many groups, each of which keeps its way. */
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

/** Each way gets a copy, one after another until one fails; the exchange goes on as it was. */
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
  /** Classes that make it try the next way; none: all do. */
  readonly exception: readonly string[];
  readonly roundRobin: boolean;
  /** Begins with the way that went well last. */
  readonly sticky: boolean;
  /** Below 0: as many as there are ways; with roundRobin as many as a loop may have turns. */
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

/** Java's String.hashCode of the value's text, not negative. */
function hashCode(value: unknown): number {
  if (value === null || value === undefined) return 37;
  let hash = 0;
  const text = asText(value);
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return Math.abs(hash);
}
