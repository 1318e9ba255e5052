/**
 * Definitions that control and a flow's thread share beside their frames (frame-shape.ts): values of fields, the shared
 * memory, names of events.
 */
import type { MessagePort } from "node:worker_threads";
import type { Egress } from "./egress.ts";
import { figureWords } from "./figures.ts";
import type { FlowModel } from "./flow-model.ts";
import type { Limits } from "./limits.ts";
import type { ResourceData } from "./mapping.ts";
import type { ShownAttachment } from "./shown-attachment.ts";

/** The most handled failures of one run that are announced; further ones are only counted. */
export const mostHandled = 10;

/**
 * The causes of runs that begin inside a thread: a step, under its name in run records, or the source of the route,
 * whose scheme run records show.
 */
export const announceCauses = ["wireTap", "aggregate", "resequence", "onCompletion", "source"] as const;
export type AnnounceCause = (typeof announceCauses)[number];

/** Why a thread finishes: its flow ends, another deployment serves the flow, or another thread of its deployment does. */
export const threadEnds = ["ends", "replaced", "leaves"] as const;
export type ThreadEnd = (typeof threadEnds)[number];

/** Actions on the routes of a flow that a route may request, by Camel's names (ControlBusEndpoint). */
export const routeActions = ["start", "stop", "suspend", "resume", "restart", "status"] as const;
export type RouteAction = (typeof routeActions)[number];

/**
 * How a run ended in its thread. The last six mean that its message was refused, all but the last one before the first step. badJson: the content type is JSON and
 * the body is not; badForm: the form cannot be read; longForm: the form has more fields than a message's headers hold;
 * bigJson: the values of the JSON would exceed the memory; badParts: the multipart form is malformed; wholeForm: a step
 * reads data, and the body is a multipart form that nothing has taken apart.
 */
export const Outcome = {
  ok: 0,
  failed: 1,
  cancelled: 2,
  badJson: 3,
  badForm: 4,
  longForm: 5,
  bigJson: 6,
  badParts: 7,
  wholeForm: 8,
  withdrawn: 9,
} as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/**
 * How a body is sent. `json`: a text that is forwarded unchanged; `value`: a plain value written as JSON; `unwritten`:
 * no body; `maybeJson`: a text whose content type is JSON, unchecked; `form`: a text of
 * `application/x-www-form-urlencoded`; `multipart`: bytes of `multipart/form-data`. A thread may get a text of any of these kinds as UTF-8. `held`: the thread has
 * the whole exchange already, and the body is the token of its announcement; only in invoke frames. `textBytes` and
 * `jsonBytes`: a text, and JSON, as UTF-8; only in results of runs that are answered over HTTP, from `largeBody`
 * characters on. `kept`: a whole exchange in the form in which threads keep it (engine/kept-message.ts); only in invoke
 * frames.
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
  multipart: 11,
  kept: 12,
} as const;
export type BodyKind = (typeof BodyKind)[keyof typeof BodyKind];

/**
 * Bodies over HTTP of at least this many characters or bytes are sent as UTF-8. An answer of that size is sent only if
 * there is room for it.
 */
export const largeBody = 64 * 1024;

/** Words of the memory that one thread shares with control, or with its host process. */
export const Word = {
  /** How many more log and trace events the thread may send. */
  credits: 0,
  /** The slot of the run whose step was entered last, plus one. */
  heartbeat: 1,
  /** Log events and trace events that the thread has made, whether sent or not, modulo 2^32. */
  logs: 2,
  traces: 3,
  /** Messages on the port that the thread has begun to read, modulo 2^32. A blocked event loop reads none. */
  turns: 4,
  /**
   * Not 0: control requests one of the two below. The thread reads it before each step, so that a run that never waits
   * notices it.
   */
  asked: 5,
  /** The slot of the run that must end before its next step, plus one; 0: none. */
  stop: 6,
  /** 1: control requests a garbage collection to learn what is left; the thread answers 2. */
  collect: 7,
  /** Calls of endpoints that leave the flow, modulo 2^32. */
  calls: 8,
  /**
   * The first of the words with a bit per slot, set for a run that has done something that a second run would repeat.
   */
  effects: 16,
} as const;

/** Slots with a bit; runs in further slots count as having had an effect. */
export const effectSlots = 4096;
/** The first word of the figures (figures.ts). */
const figuresWord = Word.effects + effectSlots / 32;
export const wordCount = figuresWord + figureWords;

/** The part of a thread's words that figures.ts lays out. */
export function figuresOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, figuresWord * Int32Array.BYTES_PER_ELEMENT, figureWords);
}

/** Why events of a thread are missing: it had no credit for them, or it ended before they arrived. */
export type LossReason = "producer_overrun" | "thread_ended";

/** Bits of the one word that all threads share: the kinds of events that are watched. */
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

/** The argument of the one long task of a flow's thread: its port, and the memory that it shares. */
export interface AttachTask {
  readonly port: MessagePort;
  /** Int32Array of `wordCount`, for this thread. */
  readonly words: SharedArrayBuffer;
  /** Int32Array of 1, for all threads. */
  readonly interest: SharedArrayBuffer;
}

/** The first argument of a thread with network access. */
export const networkThread = "network";

/**
 * The argument of a thread in a host process. Its messages are packed lists of frames (packed.ts), which the process
 * forwards without reading them.
 */
export const packedThread = "packed";

/** The data that a thread gets when a flow adopts it. */
export interface Attachment {
  readonly model: FlowModel;
  readonly limits: Limits;
  readonly record: RecordMode;
  /** true: messages of runs that fail are kept. */
  readonly keepFailed?: boolean;
  /** An index in `levels`: log steps below it are not evaluated. */
  readonly logLevel: number;
  /** The addresses that the flow may call; present when the flow makes calls and the thread has network access. */
  readonly egress?: Egress;
  /** The flow's own directory; present when the flow uses files, which the thread may access there only. */
  readonly files?: string;
  /** The existing mappings and named connections that the flow uses. */
  readonly mappings?: readonly ResourceData[];
  /** What keys in the state store are digested with that hold a secret (`secretKey`); absent: the thread has no access to the store. */
  readonly keySalt?: string;
  /** Values of the secrets that the flow names, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/**
 * `errors` (the default) records step timings, and for a failed run the message that the failing step received; `all`
 * records every step's messages, as for runs of test sessions.
 */
export type RecordMode = "off" | "errors" | "all";

/**
 * Which messages are kept when their run fails. `true` (the default): those whose sender is not notified of the failure,
 * and those that end in a dead letter channel; `all`: also requests that are answered with the failure.
 */
export type KeepFailed = boolean | "all";

/** Where a flow's threads run: in the runtime's process, or in a host process that flows of its group share. */
export type Isolation = "thread" | "process";

/** `extra` of an invoke frame, as JSON; "" without any. */
export interface InvokeExtra {
  /** The caller's exchange pattern, for a call from another flow. */
  readonly pattern?: "InOnly" | "InOut";
  readonly headers?: readonly (readonly [name: string, value: unknown])[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly attachments?: readonly SentAttachment[];
  /** For a kept message: the step or the completion that its run began with; absent: its route. */
  readonly entry?: string;
  /** For a kept message: the body that replaces its own. */
  readonly body?: { readonly kind: BodyKind; readonly text: string | null };
}

/** An attachment for another thread; the content is Base64. */
export type SentAttachment = readonly [
  name: string,
  fileName: string | null,
  contentType: string,
  headers: readonly (readonly [name: string, value: string])[],
  content: string,
];

/** A failure as it is sent between threads. */
export interface WireError {
  readonly type: string;
  readonly message: string;
  readonly stepId: string | null;
  readonly line: number | null;
  /** For a failed call, the server's answer. Absent with `record: off`. */
  readonly detail?: RemoteAnswer;
}

/** A server's answer, redacted: headers up to a limit, and at most 4 KiB of its body. */
export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `extra` of a result or reply frame, as JSON; "" without any. */
export interface ResultExtra {
  readonly error?: WireError;
  /** The message that the failing step received, redacted and cut. */
  readonly preview?: MessagePreview;
  /** For the caller of a child run: the child's exchange without the body. */
  readonly headers?: readonly (readonly [name: string, value: unknown])[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly attachments?: readonly SentAttachment[];
  /** The child stopped its exchange, so the caller's stops as well. */
  readonly stopped?: boolean;
}

export interface MessagePreview {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyType: string;
  /** Absent: the message has none. */
  readonly attachments?: readonly ShownAttachment[];
}
