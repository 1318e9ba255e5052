/** A test session in one thread: selects the mocks for the steps and endpoints of this flow. */

import { type ArmTask, callsWord, type Mock, type MockSet, MockWord, usesWord } from "../../shared/mock.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import type { Exchange } from "../engine/exchange.ts";
import { namePattern } from "../engine/name-pattern.ts";
import { type Act, ArmedMock } from "./armed-mock.ts";
import type { MockedFlow } from "./mocked-flow.ts";

/** A mock that has taken a call. */
export interface TakenMock {
  readonly mock: ArmedMock;
  readonly act: Act;
}

const none: readonly ArmedMock[] = [];

export class ArmedSession {
  readonly number: number;
  readonly uses: Uses;
  /**
   * Mocks by step index, in the order in which they are tried. A step may have several indexes: a clause is compiled
   * once per route.
   */
  readonly #bySteps = new Map<number, ArmedMock[]>();
  /** Mocks of endpoints, with the patterns of their targets. */
  readonly #ofEndpoints: ArmedMock[] = [];
  readonly #patterns = new Map<number, (uri: string) => boolean>();
  /** Caches the mocks of an endpoint by the list object that the endpoint keeps. */
  readonly #found = new WeakMap<readonly string[], readonly ArmedMock[]>();

  constructor(number: number, { set, own, words, mostRecorded }: ArmTask, flow: MockedFlow) {
    this.number = number;
    this.uses = new Uses(words, set, mostRecorded);
    set.targets.forEach((target, at) => {
      if ("uri" in target) this.#patterns.set(at, endpointPattern(target.uri));
    });
    set.mocks.forEach((one, index) => {
      const target = set.targets[one.target];
      const mock = new ArmedMock(index, one, flow);
      if (this.#patterns.has(one.target)) this.#ofEndpoints.push(mock);
      else if (own && target !== undefined && "stepId" in target) this.#addStep(target.stepId, mock, flow);
    });
  }

  /** `index`: the index in the flow's step table. */
  atStep(index: number): readonly ArmedMock[] {
    return this.#bySteps.get(index) ?? none;
  }

  atEndpoint(uris: readonly string[]): readonly ArmedMock[] {
    if (this.#ofEndpoints.length === 0) return none;
    let found = this.#found.get(uris);
    if (found === undefined) {
      const both = uris.flatMap((uri) => [uri, camelUri(uri)]);
      const spellings = [...new Set(both.flatMap((uri) => [uri, withoutQuery(uri)]))];
      const targets = new Set([...this.#patterns].filter(([, matches]) => spellings.some(matches)).map(([at]) => at));
      found = this.#ofEndpoints.filter(({ mock }) => targets.has(mock.target));
      this.#found.set(uris, found);
    }
    return found;
  }

  /**
   * Takes a use of the first of these mocks whose condition holds and which has a use left. The mocks must be loaded.
   */
  take(mocks: readonly ArmedMock[], exchange: Exchange): TakenMock | undefined {
    for (const mock of mocks) {
      if (!this.uses.open) return undefined;
      if (!mock.holds(exchange)) continue;
      exchange.run.touched();
      const use = this.uses.take(mock.index, mock.mock);
      if (use !== undefined) return { mock, act: mock.act(use) };
    }
    return undefined;
  }

  #addStep(stepId: string, mock: ArmedMock, { manifest: { steps } }: MockedFlow): void {
    steps.forEach(({ id }, index) => {
      if (id !== stepId) return;
      const known = this.#bySteps.get(index);
      if (known === undefined) this.#bySteps.set(index, [mock]);
      else known.push(mock);
    });
  }
}

/**
 * Camel: EndpointHelper.matchEndpoint, which ignores the order of parameters. A pattern that cannot be compiled matches
 * nothing; the check of the session has refused such patterns.
 */
function endpointPattern(pattern: string): (uri: string) => boolean {
  try {
    const matches = namePattern(pattern);
    if (!pattern.includes("?")) return matches;
    const ordered = inOrder(pattern);
    return (uri) => matches(uri) || inOrder(uri) === ordered;
  } catch {
    return () => false;
  }
}

function inOrder(uri: string): string {
  const [head = "", ...query] = uri.toLowerCase().split("?");
  return [head, ...query.join("?").split("&").sort()].join("&");
}

function withoutQuery(uri: string): string {
  return uri.split("?", 1)[0] as string;
}

/**
 * Counts uses, calls and records of a session's mocks in memory that all threads share, so that the counts are exact.
 */
export class Uses {
  readonly #words: Int32Array;
  readonly #set: MockSet;
  readonly #mostRecorded: number;

  constructor(words: SharedArrayBuffer, set: MockSet, mostRecorded: number) {
    this.#words = new Int32Array(words);
    this.#set = set;
    this.#mostRecorded = mostRecorded;
  }

  /** false: the session is closed, and its mocks no longer answer. */
  get open(): boolean {
    return Atomics.load(this.#words, MockWord.open) === 1;
  }

  /**
   * Takes a use of the mock and returns its number, from 0; undefined when none is left, so that the next mock or the
   * real step runs.
   */
  take(index: number, { times, after }: Mock): number | undefined {
    const word = usesWord(index);
    const most = times === 0 || after !== "passthrough" ? undefined : times;
    if (most === undefined) return Atomics.add(this.#words, word, 1) >>> 0;
    for (;;) {
      const used = Atomics.load(this.#words, word);
      if (used >= most) return undefined;
      if (Atomics.compareExchange(this.#words, word, used, used + 1) === used) return used;
    }
  }

  /** Counts a call of the target and returns its number over all threads, from 1. */
  call(target: number): number {
    Atomics.add(this.#words, callsWord(this.#set, target), 1);
    return Atomics.add(this.#words, MockWord.sequence, 1) + 1;
  }

  /** Reserves the record of one more call; true obliges the caller to record it. */
  mayRecord(): boolean {
    for (;;) {
      const recorded = Atomics.load(this.#words, MockWord.recorded);
      if (recorded >= this.#mostRecorded) return false;
      if (Atomics.compareExchange(this.#words, MockWord.recorded, recorded, recorded + 1) === recorded) return true;
    }
  }
}
