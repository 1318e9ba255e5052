/** What control and a flow's thread share beside their frames (frame-shape.ts): the values in these, the memory, the names of what happens. */
import type { MessagePort } from "node:worker_threads";
import type { Egress } from "./egress.ts";
import { figureWords } from "./figures.ts";
import type { FlowModel } from "./flow-model.ts";
import type { Limits } from "./limits.ts";
import type { MappingData } from "./mapping.ts";

/** Failures of one run that its flow handled and that are announced; further ones are only counted. */
export const mostHandled = 10;

/**
 * What begins runs inside a thread: a step, by the name that their records have for it, or the source of the route, by whose scheme
 * records name it.
 */
export const announceCauses = ["wireTap", "aggregate", "onCompletion", "source"] as const;
export type AnnounceCause = (typeof announceCauses)[number];

/** What a route may ask for of the routes of its flow: Camel's names (ControlBusEndpoint). */
export const routeActions = ["start", "stop", "suspend", "resume", "restart", "status"] as const;
export type RouteAction = (typeof routeActions)[number];

/**
 * How a run ended in its thread. Found before the first step: badJson, a JSON content type on a body that is not JSON; badForm, a
 * form that cannot be read; longForm, one with more than a message's headers hold; bigJson, JSON whose values would fill the memory.
 */
export const Outcome = { ok: 0, failed: 1, cancelled: 2, badJson: 3, badForm: 4, longForm: 5, bigJson: 6 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/**
 * How a body travels: `json` is a text to be kept as it is, `value` a plain value written as JSON, `unwritten` none at all; `maybeJson`
 * is a text that says it is JSON and need not be, `form` one of `application/x-www-form-urlencoded`. A text of any of these kinds may
 * come to a thread as UTF-8. `held`: the whole exchange is in the thread already, and the body is the token under which it was announced;
 * only invoke frames have it. `textBytes` and `jsonBytes`: a text, and JSON, as UTF-8; only results of runs that are answered over HTTP
 * have them, from `largeBody` characters on.
 */
export const BodyKind = {
  none: 0,
  text: 1,
  json: 2,
  value: 3,
  bytes: 4,
  unwritten: 5,
  maybeJson: 6,
  form: 7,
  held: 8,
  textBytes: 9,
  jsonBytes: 10,
} as const;
export type BodyKind = (typeof BodyKind)[keyof typeof BodyKind];

/** Characters, or bytes, of a body over HTTP from which on it travels as UTF-8; an answer of that size is sent only if there is room for it. */
export const largeBody = 64 * 1024;

/** Words of the memory that one thread shares with control, or with its host process. */
export const Word = {
  /** Log and trace events that the thread may still send. */
  credits: 0,
  /** The slot of the run whose step was entered last, plus one. */
  heartbeat: 1,
  /** Log events and trace events that the thread has made, sent or not, modulo 2^32. */
  logs: 2,
  traces: 3,
  /** Messages on the port that the thread has begun to read, modulo 2^32: a loop that does not turn reads none. */
  turns: 4,
  /** Not 0: control asks for something of the two below; looked at before each step, so that a run that never waits hears of it. */
  asked: 5,
  /** The slot of the run that must end before its next step, plus one; 0: none. */
  stop: 6,
  /** 1: control wants to know what is left after a garbage collection; the thread answers 2. */
  collect: 7,
  /** Calls of endpoints that leave the flow, modulo 2^32. */
  calls: 8,
  /** The first of the words whose bits tell, by slot, of runs that have done something that a second run would do again. */
  effects: 16,
} as const;

/** Slots that have a bit; runs in further ones count as having had an effect. */
export const effectSlots = 4096;
/** The first of the words of figures.ts. */
const figuresWord = Word.effects + effectSlots / 32;
export const wordCount = figuresWord + figureWords;

/** The part of a thread's words that figures.ts lays out. */
export function figuresOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, figuresWord * Int32Array.BYTES_PER_ELEMENT, figureWords);
}

/** Why events of a thread never arrived: it found no credit for them, or it ended while they were on their way. */
export type LossReason = "producer_overrun" | "thread_ended";

/** Bits of the one word that all threads share: what somebody watches. */
export const Interest = { trace: 1, preview: 2, full: 4 } as const;

export const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"] as const;
export type Level = (typeof levels)[number];

export const traceTypes = [
  "step.started",
  "step.completed",
  "step.failed",
  "step.mocked",
  "branch.taken",
  "retry.scheduled",
  "failure.handled",
] as const;
export type StepTraceType = (typeof traceTypes)[number];

/** What the one long task of a flow's thread begins with: its end of the line, and the memory it shares. */
export interface AttachTask {
  readonly port: MessagePort;
  /** Int32Array of `wordCount`, this thread's. */
  readonly words: SharedArrayBuffer;
  /** Int32Array of 1, everybody's. */
  readonly interest: SharedArrayBuffer;
}

/** The first argument of a thread that has the network. */
export const networkThread = "network";

/**
 * The argument of a thread in a host process: its messages are lists of frames written with `v8.serialize`, as bytes, so that its
 * process hands them on without reading them.
 */
export const packedThread = "packed";

/** What a thread is given when a flow adopts it. */
export interface Attachment {
  readonly model: FlowModel;
  readonly limits: Limits;
  readonly record: RecordMode;
  /** Index into `levels`: log steps below it evaluate nothing. */
  readonly logLevel: number;
  /** What the flow may call; present: it calls out, and the thread is one with the network. */
  readonly egress?: Egress;
  /** The flow's own directory; present: it reads or writes files, and the thread is one that may, there. */
  readonly files?: string;
  /** Those that the flow uses and that are there. */
  readonly mappings?: readonly MappingData[];
  /** Values of the secrets that the flow names, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/**
 * `errors` (the default) keeps step timings and, of a failed run, the message as the failing step received it; `all` keeps every step's
 * messages, as of each run of a test session.
 */
export type RecordMode = "off" | "errors" | "all";

/** Where a flow's threads run: in the runtime's process, or in a host process that it shares with the flows of its group. */
export type Isolation = "thread" | "process";

/** `extra` of an invoke frame, as JSON; "" when there is none. */
export interface InvokeExtra {
  /** The caller's exchange pattern, for a call from another flow. */
  readonly pattern?: "InOnly" | "InOut";
  readonly headers?: readonly (readonly [name: string, value: unknown])[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A failure as it crosses threads. */
export interface WireError {
  readonly type: string;
  readonly message: string;
  readonly stepId: string | null;
  readonly line: number | null;
  /** Of a failed call: what the server answered. Absent with `record: off`. */
  readonly detail?: RemoteAnswer;
}

/** A server's answer, redacted: its headers as far as they have room, at most 4 KiB of its body. */
export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `extra` of a result or reply frame, as JSON; "" when there is none. */
export interface ResultExtra {
  readonly error?: WireError;
  /** The message as the failing step received it, redacted and cut. */
  readonly preview?: MessagePreview;
  /** A child run's exchange beside its body, for its caller. */
  readonly headers?: readonly (readonly [name: string, value: unknown])[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The child stopped its exchange, and so its caller's. */
  readonly stopped?: boolean;
}

export interface MessagePreview {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyType: string;
}
