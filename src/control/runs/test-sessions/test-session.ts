/** One test session: its mocks as threads get them, the runs in it, and the recorded calls. */
import { randomHex } from "../../../shared/ids.ts";
import type { Limits } from "../../../shared/limits.ts";
import {
  type AssessedResult,
  callsWord,
  type MockedCall,
  type MockSet,
  MockWord,
  mockWords,
  usesWord,
} from "../../../shared/mock.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { ArmedMocks, Invocation, InvocationResult, MockHolder } from "../../threads/invocation.ts";
import { within } from "../../threads/waiting.ts";
import { RunningRun } from "../running-run.ts";
import { type KeptBytes, KeptCalls, KeptResult } from "./kept-results.ts";
import type { SessionReport, SessionRequest } from "./test-service.ts";

export class TestSession implements ArmedMocks {
  readonly sessionId = `ts_${randomHex(32)}`;
  readonly number: number;
  readonly request: SessionRequest;
  readonly deployment: Deployment;
  readonly ttlMs: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly replaced: ReadonlySet<string>;
  readonly mostRecorded: number;
  readonly holders = new Set<MockHolder>();
  readonly words: SharedArrayBuffer;
  readonly counters: SessionWords;
  readonly calls: KeptCalls;
  armed = true;
  expired = false;
  stale = false;
  /** true: it was closed, and no run can join it any more. */
  closed = false;
  /** The report of its end, which every call that closes it gets. */
  closing: Promise<SessionReport> | undefined;
  report: SessionReport | undefined;
  /** The timer until it expires, then until it is forgotten. */
  timer: NodeJS.Timeout | undefined;
  readonly #limits: Limits;
  readonly #active = new Set<Invocation>();
  readonly #runs = new Set<string>();
  #waiting = 0;
  #lost = 0;
  #result: KeptResult | undefined;
  #onIdle: (() => void)[] = [];

  constructor(number: number, request: SessionRequest, deployment: Deployment, limits: Limits, total: KeptBytes) {
    this.number = number;
    this.request = request;
    this.deployment = deployment;
    this.ttlMs = request.ttlMs ?? Math.min(limits.testSessionMs, limits.testSessionMostMs);
    this.expiresAt = Date.now() + this.ttlMs;
    this.replaced = new Set(Object.keys(request.replaceFrom));
    this.mostRecorded = limits.testSessionCalls;
    this.counters = new SessionWords(request.set);
    this.words = this.counters.memory;
    this.calls = new KeptCalls(limits.testSessionCalls, limits.testSessionBytes, total);
    this.#limits = limits;
  }

  get set(): SessionRequest["set"] {
    return this.request.set;
  }

  get scope(): SessionRequest["scope"] {
    return this.request.scope;
  }

  get pool(): Deployment["pool"] {
    return this.deployment.pool;
  }

  get listens(): boolean {
    return this.calls.received < this.mostRecorded;
  }

  /** Whether it is neither closed nor expired. */
  get open(): boolean {
    return !this.closed && !this.expired;
  }

  /** Why no run can join it; undefined: one can. */
  get refusal(): string | undefined {
    if (this.closed) return "it is closed";
    if (this.expired) return `it expired after ${this.ttlMs} ms`;
    if (this.stale)
      return "its flow has been deployed anew, stopped or removed since, and mocks do not move to another deployment";
    return undefined;
  }

  /** The ids of the runs that were in it, the oldest first. */
  get runs(): readonly string[] {
    return [...this.#runs];
  }

  get pending(): readonly string[] {
    return [...this.#active].map(({ runId }) => runId);
  }

  /** The result of its last run: of the runs that have ended, the one that began last. */
  get result(): AssessedResult | null {
    return this.#result?.read() ?? null;
  }

  /** The bytes that it keeps of its runs. */
  get bytes(): number {
    return this.calls.bytes + (this.#result?.bytes ?? 0);
  }

  /** Calls that were not recorded; exact while no run is under way. */
  get unrecorded(): SessionReport["unrecorded"] {
    return { overLimit: this.#overLimit + this.calls.refused, lost: this.#lost };
  }

  began(run: Invocation): void {
    this.#active.add(run);
    if (this.scope === "session" || this.#carriedBy(run)) this.#note(run);
  }

  ended(run: Invocation, result: InvocationResult | undefined): void {
    this.#active.delete(run);
    // Runs may end in another order than they began in.
    if (this.#carriedBy(run) && run.record.began >= (this.#result?.began ?? 0)) {
      this.#result = new KeptResult(run, result, this.#limits.testSessionBytes);
    }
    this.#settle();
  }

  waiting(by: 1 | -1): void {
    this.#waiting += by;
    this.#settle();
  }

  recorded(run: Invocation, call: MockedCall, characters: number): void {
    if (!(run instanceof RunningRun)) return;
    const { runId, rootId, record } = run;
    this.#note(run);
    this.calls.add({ call, runId, rootId, flowId: record.owner.flowId }, characters);
  }

  /** Resolves with true when no run of it is under way any more, with false after `withinMs`. */
  async idle(withinMs: number): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (this.#active.size + this.#waiting > 0) {
      const idle = new Promise<void>((resolve) => this.#onIdle.push(resolve));
      if (!(await within(Math.max(0, until - performance.now()), idle))) return false;
    }
    return true;
  }

  disarm(): void {
    this.armed = false;
    this.counters.close();
    this.#settle();
  }

  #carriedBy(run: Invocation): run is RunningRun {
    return run instanceof RunningRun && run.carries(this);
  }

  /** Adds a run to `runs`; when there are too many, the oldest is dropped. */
  #note({ runId }: Invocation): void {
    this.#runs.add(runId);
    const [oldest] = this.#runs;
    if (this.#runs.size > this.#limits.testSessionRuns && oldest !== undefined) this.#runs.delete(oldest);
  }

  #settle(): void {
    if (this.#active.size > 0) return;
    this.#lost = Math.max(0, this.#called - this.#overLimit - this.calls.received);
    if (!this.armed) {
      for (const holder of this.holders) holder.disarm(this.number);
      this.holders.clear();
    }
    if (this.#waiting > 0) return;
    const waiters = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiters) resolve();
  }

  get #called(): number {
    return this.counters.callCounts().reduce((sum, count) => sum + count, 0);
  }

  /** Calls beyond the limit: threads record no more calls when the counter is full. */
  get #overLimit(): number {
    return this.counters.promised < this.mostRecorded ? 0 : Math.max(0, this.#called - this.mostRecorded);
  }
}

/** The counters that a session shares with threads. */
class SessionWords {
  readonly memory: SharedArrayBuffer;
  readonly #set: MockSet;
  readonly #words: Int32Array;

  constructor(set: MockSet) {
    this.#set = set;
    this.memory = mockWords(set);
    this.#words = new Int32Array(this.memory);
    Atomics.store(this.#words, MockWord.open, 1);
  }

  /** Lets the mocks answer no more calls. */
  close(): void {
    Atomics.store(this.#words, MockWord.open, 0);
  }

  /** Returns the number of calls by target. */
  callCounts(): number[] {
    return this.#set.targets.map((_target, i) => this.#read(callsWord(this.#set, i)));
  }

  /** Returns the indexes of mocks that were never called. */
  unused(): number[] {
    return [...this.#set.mocks.keys()].filter((mock) => this.#read(usesWord(mock)) === 0);
  }

  /** How many calls threads have counted for recording. */
  get promised(): number {
    return this.#read(MockWord.recorded);
  }

  #read(word: number): number {
    return Math.max(0, Atomics.load(this.#words, word));
  }
}
