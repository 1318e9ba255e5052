/**
 * Mocks of test sessions, which replace steps and endpoints: the definitions that control has read, and the data that
 * threads exchange.
 */
import type { Path } from "./document-place.ts";
import type { ShownAttachment } from "./shown-attachment.ts";

/**
 * The target: the step with this id, or calls of endpoints that match the pattern (exact, `prefix*`, a regular
 * expression).
 */
export type MockTarget = { readonly stepId: string } | { readonly uri: string };

/** Mocks in the order in which they are tried: the first with a use left whose `when` holds answers. */
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
  /** The number of uses; 0: without end. A sequence has one use per action. */
  readonly times: number;
  /**
   * What follows the last use: the next mock or the real step; the last action again; a failure. In the latter two
   * cases the mock always answers.
   */
  readonly after: MockAfter;
}

export const mockAfters = ["passthrough", "repeatLast", "fail"] as const;
export type MockAfter = (typeof mockAfters)[number];

export type MockAction = RespondAction | ThrowAction | SpyAction;
export const mockActionKinds = ["respond", "throw", "spy"] as const;

/** Sets the message as a reply to the step would; absent fields stay unchanged. */
export interface RespondAction {
  readonly kind: "respond";
  /**
   * A JSON value, copied for each use. An object or a list acts like a server's JSON: text that steps can look into.
   */
  readonly body?: unknown;
  /** Bytes, in place of `body`. */
  readonly bodyBase64?: string;
  /** Evaluated on the exchange, in place of `body`. */
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

/** Runs the real step and records it. */
export interface SpyAction {
  readonly kind: "spy";
}

/** An expression in any language of the catalogue. */
export interface MockExpression {
  readonly language: string;
  readonly text: string;
}

/** A condition whose parts must all hold. `matchers.ts` defines the matchers. */
export interface MockCondition {
  readonly body?: unknown;
  /** Expected headers by name, regardless of case. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly expression?: MockExpression;
}

/**
 * The first words of the memory that a session shares with the threads of its mocks. The uses of each mock and the
 * calls of each target follow.
 */
export const MockWord = {
  /** 1 while the mocks answer. */
  open: 0,
  /** The number of calls, which numbers the next one. */
  sequence: 1,
  /** The number of calls with a record; never more than the session keeps. */
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

/** The data of a session that a thread gets before the first run in it. */
export interface ArmTask {
  readonly set: MockSet;
  /** true: the thread runs the session's own flow, in its deployment; false: only mocks of endpoints apply. */
  readonly own: boolean;
  /** Int32Array: `MockWord`, uses, calls. */
  readonly words: SharedArrayBuffer;
  /** The most calls that are recorded. */
  readonly mostRecorded: number;
}

/** A step's message as recorded: redacted, and cut to `limits.recordedBytes`. */
export interface RecordedMessage {
  /** JSON values; values that JSON does not have are texts. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** A JSON value; a text if it was a text or was cut; base64 with `encoding`. */
  readonly body: unknown;
  /** The body's class as in Camel's logs: `String`, `byte[]`, `java.util.LinkedHashMap`. */
  readonly bodyType: string;
  readonly encoding?: "base64";
  /** The text of a body that came as JSON, if it differs from the serialized value in spaces or spellings. */
  readonly text?: string;
  /** Absent: the message has none. */
  readonly attachments?: readonly ShownAttachment[];
  /** Present: the body, a header or the list of attachments was cut. */
  readonly cut?: true;
  /** Present: a part was hidden. */
  readonly redacted?: true;
}

export interface RecordedError {
  readonly type: string;
  readonly message: string;
  /** The status code of an HttpOperationFailedException. */
  readonly statusCode?: number;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, unknown>>;
  /** Present: body or headers of the answer were cut. */
  readonly cut?: true;
  /** Present: a part of them was hidden. */
  readonly redacted?: true;
}

/** A mock's call that a thread reports, as JSON in a `mocked` frame. */
export interface MockedCall {
  /** The number of the call over all threads, from 1. */
  readonly seq: number;
  /** Index into the set's mocks. */
  readonly mock: number;
  readonly target: number;
  readonly stepId: string;
  readonly routeId: string;
  readonly action: MockAction["kind"];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly request: RecordedMessage & {
    /** The endpoint's URI in normal form; absent for a step without a known endpoint. */
    readonly uri?: string;
    readonly properties: Readonly<Record<string, unknown>>;
  };
  /** The response; null: the call failed. */
  readonly response: (RecordedMessage & { readonly status?: number }) | null;
  readonly error: RecordedError | null;
}

/** The record of one step of a run. The first record is the run itself, with a `timing` of -1. */
export interface StepRecord {
  /** The index of its timing in the run, from 0. */
  readonly timing: number;
  /** true: a mock answered or observed the step. */
  readonly mocked?: true | undefined;
  /**
   * true: the step called something outside the flow, or a mock answered for it, and no enclosing step did; a replay
   * must not run it. For the run itself: a call that no step made has no record.
   */
  readonly outbound?: true | undefined;
  /**
   * Present: the record is not of a step but of a call of this endpoint, which no step made (such as a dead letter
   * endpoint), or whose answer went into a variable. Such records come last and have no timing.
   */
  readonly uri?: string | undefined;
  /** true: messages of the step, or steps of the run, were left out because of a limit. */
  readonly omitted?: true | undefined;
  /** true: the step has left the body as it was, compared before it was cut. */
  readonly sameBody?: true | undefined;
  readonly in?: RecordedMessage | undefined;
  readonly out?: RecordedMessage | undefined;
  readonly error?: RecordedError | undefined;
}

/** StepRecords as a thread sends them. Each distinct message is sent once, as the JSON of a RecordedMessage. */
export interface WireSteps {
  readonly messages: readonly string[];
  readonly steps: readonly WireStep[];
}

/** `in` and `out`: indexes into the messages. */
export type WireStep = Omit<StepRecord, "in" | "out"> & { readonly in?: number; readonly out?: number };

/** A check thread's task before a session is opened: check that its patterns, matchers and expressions compile. */
export interface MockCheckRequest {
  readonly set: MockSet;
  /** The assertions as received. */
  readonly assertions: readonly unknown[];
}

/** `path`: the place in the set, whose mocks are one list, or in `assertions`: `mocks`, 0, `when`, `body`, `$regex`. */
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
  /** The exact number of calls per target. */
  readonly callCounts: readonly number[];
  /** The recorded calls, by `seq`; some may be missing. The run's id is used in messages. */
  readonly calls: readonly (MockedCall & { readonly runId?: string })[];
  /** The last run that the session began, if it has ended. */
  readonly result: AssessedResult | null;
}

/** The end of a run that began by `test/invoke` or by a request with the session's header. */
export interface AssessedResult {
  readonly runId: string;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Present: the body was too large to keep, and is null. */
  readonly cut?: true;
  readonly error: { readonly type: string; readonly message: string; readonly stepId: string | null } | null;
}

/** The result of an assertion, in the order of the assertions. */
export interface AssessedAssertion {
  readonly passed: boolean;
  /** For mockCalled the number of matching calls; else the value that was found. */
  readonly actual: unknown;
  /** The message for people: expected, actual, and the nearest call. */
  readonly message: string;
}
