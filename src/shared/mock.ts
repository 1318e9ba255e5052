/** What a test session puts in place of steps and endpoints: as control has read it, and as threads are given it. */
import type { Path } from "./document-place.ts";

/** What is replaced: the step of this id, or what is sent to endpoints that the pattern matches (exact, `prefix*`, a regular expression). */
export type MockTarget = { readonly stepId: string } | { readonly uri: string };

/** Mocks in the order in which they are tried: the first whose `when` holds and that has a use left answers. */
export interface MockSet {
  readonly targets: readonly MockTarget[];
  readonly mocks: readonly Mock[];
}

export interface Mock {
  /** Index into the set's targets. */
  readonly target: number;
  /** What the first use does, the second, ...: one action is for all uses. */
  readonly actions: readonly MockAction[];
  readonly when?: MockCondition;
  /** Uses that it has; 0: without end. A sequence has as many as it has actions. */
  readonly times: number;
  /** When its uses are gone: the next mock or the real step; its last action again; a failure. The latter two make it endless. */
  readonly after: MockAfter;
}

export const mockAfters = ["passthrough", "repeatLast", "fail"] as const;
export type MockAfter = (typeof mockAfters)[number];

export type MockAction = RespondAction | ThrowAction | SpyAction;
export const mockActionKinds = ["respond", "throw", "spy"] as const;

/** The message as a reply of the step would leave it: what is absent stays as it is. */
export interface RespondAction {
  readonly kind: "respond";
  /** A JSON value, for each use its own copy; an object or a list is as a server's JSON: text that can be looked into. */
  readonly body?: unknown;
  /** Instead of `body`: bytes. */
  readonly bodyBase64?: string;
  /** Instead of `body`: evaluated over the exchange. */
  readonly expression?: MockExpression;
  /** Set on the message; null removes one. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Becomes `CamelHttpResponseCode`. */
  readonly status?: number;
  readonly delayMs?: number;
}

export interface ThrowAction {
  readonly kind: "throw";
  /** Java class name, with or without its package. */
  readonly type: string;
  readonly message: string;
  /** Of HttpOperationFailedException. */
  readonly statusCode?: number;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, unknown>>;
  readonly delayMs?: number;
}

/** The real step runs, and is recorded. */
export interface SpyAction {
  readonly kind: "spy";
}

/** In any language of the catalogue. */
export interface MockExpression {
  readonly language: string;
  readonly text: string;
}

/** All of it must hold. Matchers are as `matchers.ts` reads them. */
export interface MockCondition {
  readonly body?: unknown;
  /** By name, without case. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly expression?: MockExpression;
}

/** Words of the memory that a session shares with the threads that run its mocks: after these the uses of each mock, then the calls of each target. */
export const MockWord = {
  /** 1 as long as the mocks answer. */
  open: 0,
  /** Calls so far: what the next one is numbered by. */
  sequence: 1,
  /** Calls that were recorded or are to be: no more than the session keeps. */
  recorded: 2,
} as const;
export const mockWordCount = 3;

/** Index of the word that counts the uses of a mock. */
export function usesWord(mock: number): number {
  return mockWordCount + mock;
}

/** Index of the word that counts the calls of a target. */
export function callsWord({ mocks }: MockSet, target: number): number {
  return mockWordCount + mocks.length + target;
}

export function mockWords({ mocks, targets }: MockSet): SharedArrayBuffer {
  return new SharedArrayBuffer((mockWordCount + mocks.length + targets.length) * Int32Array.BYTES_PER_ELEMENT);
}

/** What a thread is told of a session before the first run that is in it. */
export interface ArmTask {
  readonly set: MockSet;
  /** true: this is the flow, in the deployment, that the session is of; else only the mocks of endpoints apply. */
  readonly own: boolean;
  /** Int32Array: `MockWord`, uses, calls. */
  readonly words: SharedArrayBuffer;
  /** Calls that are recorded at the most. */
  readonly mostRecorded: number;
}

/** A message as it is kept of a step: redacted, and cut to `limits.recordedBytes`. */
export interface RecordedMessage {
  /** JSON values; texts in place of what JSON does not have. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** A JSON value; a text when it was one, or when it is cut; base64 with `encoding`. */
  readonly body: unknown;
  /** Its class as Camel's logs name it: `String`, `byte[]`, `java.util.LinkedHashMap`. */
  readonly bodyType: string;
  readonly encoding?: "base64";
  /** Of a body that came as JSON: its text, where that has other spaces, or other ways of writing, than the value has as JSON. */
  readonly text?: string;
  /** Present: the body, or a header, is not whole. */
  readonly cut?: true;
  /** Present: something in it was hidden. */
  readonly redacted?: true;
}

export interface RecordedError {
  readonly type: string;
  readonly message: string;
  /** Of HttpOperationFailedException. */
  readonly statusCode?: number;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, unknown>>;
  /** Present: body or headers of the answer are not whole. */
  readonly cut?: true;
  /** Present: something in them was hidden. */
  readonly redacted?: true;
}

/** A call of a mock as its thread tells it, JSON in a `mocked` frame. */
export interface MockedCall {
  /** From 1 on, over all threads. */
  readonly seq: number;
  /** Index into the set's mocks. */
  readonly mock: number;
  readonly target: number;
  readonly stepId: string;
  readonly routeId: string;
  readonly action: MockAction["kind"];
  /** Epoch ms. */
  readonly at: number;
  readonly durationMs: number;
  readonly request: RecordedMessage & {
    /** The endpoint's in normal form; absent for a step that sends to none that is known. */
    readonly uri?: string;
    readonly properties: Readonly<Record<string, unknown>>;
  };
  /** null: it failed. */
  readonly response: (RecordedMessage & { readonly status?: number }) | null;
  readonly error: RecordedError | null;
}

/** What is kept of one step of a run that is recorded; of the run itself, which comes first, `timing` is -1. */
export interface StepRecord {
  /** Which of the run's timings it belongs to, counted from 0. */
  readonly timing: number;
  /** A mock answered, or looked on. */
  readonly mocked?: true | undefined;
  /**
   * It called something outside of the flow, or a mock answered for it, and no step around it did: a replay must not run it. Of the run:
   * something was called by no step, and nothing is kept of it.
   */
  readonly outbound?: true | undefined;
  /**
   * Present: not a step but a call of this endpoint, which was made by none, such as of a dead letter endpoint, or whose answer went into a
   * variable. They come last, and have no timing either.
   */
  readonly uri?: string | undefined;
  /** Messages of it, or steps of the run, were left out: there were too many. */
  readonly omitted?: true | undefined;
  readonly in?: RecordedMessage | undefined;
  readonly out?: RecordedMessage | undefined;
  readonly error?: RecordedError | undefined;
}

/** How StepRecords cross from a thread: messages that are the same cross once, each as the JSON of a RecordedMessage. */
export interface WireSteps {
  readonly messages: readonly string[];
  readonly steps: readonly WireStep[];
}

/** `in` and `out`: indexes into the messages. */
export type WireStep = Omit<StepRecord, "in" | "out"> & { readonly in?: number; readonly out?: number };

/** What a check thread is asked before a session is opened: are patterns, matchers and expressions such as threads can use? */
export interface MockCheckRequest {
  readonly set: MockSet;
  /** As they were sent. */
  readonly assertions: readonly unknown[];
}

/** `path`: `mocks`, 0, `when`, `body`, `$regex`, or `assertions`, 1: of the set, which has the mocks in one list. */
export interface MockProblem {
  readonly path: Path;
  readonly message: string;
}

export interface MockCheckResult {
  readonly problems: readonly MockProblem[];
}

/** What a check thread is asked at the end of a session. */
export interface AssessRequest {
  readonly assertions: readonly unknown[];
  readonly targets: readonly MockTarget[];
  /** By target: exact. */
  readonly callCounts: readonly number[];
  /** Those that were recorded, by `seq`; some may be missing. The run is for messages. */
  readonly calls: readonly (MockedCall & { readonly runId?: string })[];
  /** The last run that began in the session, if one has ended. */
  readonly result: AssessedResult | null;
}

/** How a run ended that `test/invoke`, or a request with the session's header, began. */
export interface AssessedResult {
  readonly runId: string;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Present: the body is too large to be kept, and null stands in its place. */
  readonly cut?: true;
  readonly error: { readonly type: string; readonly message: string; readonly stepId: string | null } | null;
}

/** One for each assertion, in their order. */
export interface AssessedAssertion {
  readonly passed: boolean;
  /** Of mockCalled: the calls that count; else what was found. */
  readonly actual: unknown;
  /** For a person: expected, actual, and the call that came nearest. */
  readonly message: string;
}
