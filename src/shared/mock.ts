/** Mocks, with which a test session replaces steps and endpoints: as control has read them, and as threads get them. */
import type { Path } from "./document-place.ts";

/**
 * What is replaced: the step with this id, or calls of endpoints that the pattern matches (exact, `prefix*`, a regular
 * expression).
 */
export type MockTarget = { readonly stepId: string } | { readonly uri: string };

/** Mocks in the order in which they are tried: the first whose `when` holds and that has a use left answers. */
export interface MockSet {
  readonly targets: readonly MockTarget[];
  readonly mocks: readonly Mock[];
}

export interface Mock {
  /** Index into the set's targets. */
  readonly target: number;
  /** The actions of the first use, the second, ...; a single action serves all uses. */
  readonly actions: readonly MockAction[];
  readonly when?: MockCondition;
  /** How many uses it has; 0: without end. A sequence has as many as actions. */
  readonly times: number;
  /**
   * What happens after the last use: the next mock or the real step; the last action again; a failure. The latter two
   * make it endless.
   */
  readonly after: MockAfter;
}

export const mockAfters = ["passthrough", "repeatLast", "fail"] as const;
export type MockAfter = (typeof mockAfters)[number];

export type MockAction = RespondAction | ThrowAction | SpyAction;
export const mockActionKinds = ["respond", "throw", "spy"] as const;

/** Sets the message as a reply of the step would; what is absent stays as it is. */
export interface RespondAction {
  readonly kind: "respond";
  /**
   * A JSON value, copied for each use; an object or a list acts like a server's JSON: text that steps can look into.
   */
  readonly body?: unknown;
  /** Instead of `body`: bytes. */
  readonly bodyBase64?: string;
  /** Instead of `body`: evaluated over the exchange. */
  readonly expression?: MockExpression;
  /** Headers to set on the message; null removes one. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The status, which becomes `CamelHttpResponseCode`. */
  readonly status?: number;
  readonly delayMs?: number;
}

export interface ThrowAction {
  readonly kind: "throw";
  /** Java class name, with or without its package. */
  readonly type: string;
  readonly message: string;
  /** The status code of an HttpOperationFailedException. */
  readonly statusCode?: number;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, unknown>>;
  readonly delayMs?: number;
}

/** The real step runs, and is recorded. */
export interface SpyAction {
  readonly kind: "spy";
}

/** An expression in any language of the catalogue. */
export interface MockExpression {
  readonly language: string;
  readonly text: string;
}

/** A condition, all of which must hold. `matchers.ts` defines the matchers. */
export interface MockCondition {
  readonly body?: unknown;
  /** Expected headers by name, regardless of case. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly expression?: MockExpression;
}

/**
 * The words of the memory that a session shares with the threads that run its mocks: after these the uses of each mock,
 * then the calls of each target.
 */
export const MockWord = {
  /** 1 as long as the mocks answer. */
  open: 0,
  /** Calls so far, which numbers the next one. */
  sequence: 1,
  /** Calls that were or will be recorded: no more than the session keeps. */
  recorded: 2,
} as const;
export const mockWordCount = 3;

/** Returns the index of the word that counts the uses of a mock. */
export function usesWord(mock: number): number {
  return mockWordCount + mock;
}

/** Returns the index of the word that counts the calls of a target. */
export function callsWord({ mocks }: MockSet, target: number): number {
  return mockWordCount + mocks.length + target;
}

export function mockWords({ mocks, targets }: MockSet): SharedArrayBuffer {
  return new SharedArrayBuffer((mockWordCount + mocks.length + targets.length) * Int32Array.BYTES_PER_ELEMENT);
}

/** What a thread gets of a session before the first run in it. */
export interface ArmTask {
  readonly set: MockSet;
  /** true: the thread runs the session's own flow, in its deployment; else only the mocks of endpoints apply. */
  readonly own: boolean;
  /** Int32Array: `MockWord`, uses, calls. */
  readonly words: SharedArrayBuffer;
  /** The most calls that are recorded. */
  readonly mostRecorded: number;
}

/** A step's message as it is kept: redacted, and cut to `limits.recordedBytes`. */
export interface RecordedMessage {
  /** JSON values; texts in place of what JSON does not have. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** A JSON value; a text when it was one, or when it is cut; base64 with `encoding`. */
  readonly body: unknown;
  /** The body's class as in Camel's logs: `String`, `byte[]`, `java.util.LinkedHashMap`. */
  readonly bodyType: string;
  readonly encoding?: "base64";
  /**
   * For a body that came as JSON: its text, if that has other spaces or spellings than the value serialized as JSON.
   */
  readonly text?: string;
  /** Present: the body, or a header, is not whole. */
  readonly cut?: true;
  /** Present: something in it was hidden. */
  readonly redacted?: true;
}

export interface RecordedError {
  readonly type: string;
  readonly message: string;
  /** The status code of an HttpOperationFailedException. */
  readonly statusCode?: number;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, unknown>>;
  /** Present: body or headers of the answer are not whole. */
  readonly cut?: true;
  /** Present: something in them was hidden. */
  readonly redacted?: true;
}

/** A mock's call as its thread reports it, as JSON in a `mocked` frame. */
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
    /** The endpoint's URI in normal form; absent for a step that sends to no known endpoint. */
    readonly uri?: string;
    readonly properties: Readonly<Record<string, unknown>>;
  };
  /** The response; null: the call failed. */
  readonly response: (RecordedMessage & { readonly status?: number }) | null;
  readonly error: RecordedError | null;
}

/** What is kept of one step of a recorded run; the run itself comes first, with a `timing` of -1. */
export interface StepRecord {
  /** The index of its timing in the run, from 0. */
  readonly timing: number;
  /** true: a mock answered or observed the step. */
  readonly mocked?: true | undefined;
  /**
   * true: the step called something outside of the flow, or a mock answered for it, and no step around it did: a replay
   * must not run it. For the run: something was called outside of any step, and nothing of it is kept.
   */
  readonly outbound?: true | undefined;
  /**
   * Present: not a step but a call of this endpoint, which no step made (such as one of a dead letter endpoint), or
   * whose answer went into a variable. They come last, and have no timing either.
   */
  readonly uri?: string | undefined;
  /** true: messages of the step, or steps of the run, were left out because there were too many. */
  readonly omitted?: true | undefined;
  readonly in?: RecordedMessage | undefined;
  readonly out?: RecordedMessage | undefined;
  readonly error?: RecordedError | undefined;
}

/**
 * How StepRecords cross from a thread: messages that are the same cross once, each as the JSON of a RecordedMessage.
 */
export interface WireSteps {
  readonly messages: readonly string[];
  readonly steps: readonly WireStep[];
}

/** `in` and `out`: indexes into the messages. */
export type WireStep = Omit<StepRecord, "in" | "out"> & { readonly in?: number; readonly out?: number };

/** A check thread's task before a session is opened: are patterns, matchers and expressions usable in threads? */
export interface MockCheckRequest {
  readonly set: MockSet;
  /** The assertions as they were sent. */
  readonly assertions: readonly unknown[];
}

/**
 * `path`: `mocks`, 0, `when`, `body`, `$regex`, or `assertions`, 1: within the set, which has the mocks in one list.
 */
export interface MockProblem {
  readonly path: Path;
  readonly message: string;
}

export interface MockCheckResult {
  readonly problems: readonly MockProblem[];
}

/** A check thread's task at the end of a session. */
export interface AssessRequest {
  readonly assertions: readonly unknown[];
  readonly targets: readonly MockTarget[];
  /** The exact number of calls by target. */
  readonly callCounts: readonly number[];
  /** The recorded calls, by `seq`; some may be missing. The run's id is for messages. */
  readonly calls: readonly (MockedCall & { readonly runId?: string })[];
  /** The last run that began in the session, if one has ended. */
  readonly result: AssessedResult | null;
}

/** The end of a run that `test/invoke`, or a request with the session's header, began. */
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

/** The result of an assertion, in the order of the assertions. */
export interface AssessedAssertion {
  readonly passed: boolean;
  /** For mockCalled: the calls that count; else what was found. */
  readonly actual: unknown;
  /** The message for people: expected, actual, and the nearest call. */
  readonly message: string;
}
