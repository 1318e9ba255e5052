/**
 * Reads values of frames, and of JSON in them, without trust in the sender: each reader throws for a value of another
 * kind; `what` names the value in the error. `fieldTypes` defines the types of frame fields, each with the writer's
 * type, the reader's check, and its text in docs/maintaining/protocol.md.
 */
import { connectionEvents } from "./connection.ts";
import type { FlowManifest } from "./manifest.ts";
import type { ResourceData, ResourceKey } from "./mapping.ts";
import type { ArmTask } from "./mock.ts";
import { type Attachment, announceCauses, BodyKind, levels, Outcome, routeActions, traceTypes } from "./protocol.ts";
import { groupOperations, stateOperations } from "./state.ts";

export function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new Error(`${what} is a text`);
  return value;
}

export function whole(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(`${what} is a whole number`);
  return value as number;
}

/** The index of a step; -1 for none. */
export function stepOf(value: unknown): number {
  return wholeOrNone(value, "a step");
}

/** A whole number; -1 for none. */
export function wholeOrNone(value: unknown, what: string): number {
  return value === -1 ? -1 : whole(value, what);
}

/** A time in milliseconds, up to the last one of a Date. */
export function amount(value: unknown, what: string): number {
  if (typeof value !== "number" || !(value >= 0 && value <= 8.64e15)) throw new Error(`${what} is a number`);
  return value;
}

/** Bytes that the sender cannot change any more. */
function bytesOrNull(value: unknown, what: string): Uint8Array | null {
  if (value === null) return null;
  if (!(value instanceof Uint8Array) || value.buffer instanceof SharedArrayBuffer) throw new Error(`${what} is bytes`);
  return value;
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("an object is missing");
  return value as Readonly<Record<string, unknown>>;
}

export type Body = string | Uint8Array | null;

const bodiesAsBytes: readonly BodyKind[] = [BodyKind.bytes, BodyKind.textBytes, BodyKind.jsonBytes];

/** The body of a frame, by its kind. */
export function bodyOf(kind: BodyKind, body: unknown): Body {
  if (kind === BodyKind.none || kind === BodyKind.unwritten) return null;
  if (!bodiesAsBytes.includes(kind)) return text(body, "a body");
  // The thread could change shared memory after it was checked, or while another flow uses it.
  if (!(body instanceof Uint8Array) || body.buffer instanceof SharedArrayBuffer) throw new Error("a body is bytes");
  return body;
}

/**
 * `Written`: the type that a writer passes; `Read`: the type that a reader returns, which is unknown while the value is
 * unchecked.
 */
interface FieldType<Written, Read = Written> {
  readonly docs: string;
  /** Throws for a value that is not of this type; `what` names the field in the error. */
  readonly read: (value: unknown, what: string) => Read;
  /** Never set: it gives `Written` a place in the type. */
  readonly written?: Written;
}

function checked<T>(docs: string, read: (value: unknown, what: string) => T): FieldType<T> {
  return { docs, read };
}

/** A field type that the reader does not check. The code that uses the value must check it. */
function unread<T>(docs: string): FieldType<T, unknown> {
  return { docs, read: (value) => value };
}

/** A field type that is never checked, since threads trust control. */
function believed<T>(docs: string): FieldType<T> {
  return { docs, read: (value) => value as T };
}

function oneOf<T extends string | number>(docs: string, values: readonly T[]): FieldType<T> {
  const known: readonly unknown[] = values;
  const isKnown = (value: unknown): value is T => known.includes(value);
  return checked(docs, (value, what) => {
    if (!isKnown(value)) throw new Error(`${what} is none of those that there are`);
    return value;
  });
}

/** A held body never leaves its thread, and a kept one goes only to a thread. */
const answerKinds: readonly BodyKind[] = Object.values(BodyKind).filter(
  (kind) => kind !== BodyKind.held && kind !== BodyKind.kept,
);
const callKinds: readonly BodyKind[] = answerKinds.filter(
  (kind) => kind !== BodyKind.textBytes && kind !== BodyKind.jsonBytes,
);
const lineLevels = levels.map((_, index) => index).slice(0, levels.indexOf("OFF"));

export const fieldTypes = {
  whole: checked("whole number", whole),
  number: checked("number, 0 or more", amount),
  text: checked("text", text),
  json: checked('JSON as text; "": none', text),
  slot: checked("slot of a run", whole),
  run: checked("slot of a run; -1: none", wholeOrNone),
  step: checked("index into the flow's steps; -1: none", wholeOrNone),
  hops: checked("number of calls; -1: none", wholeOrNone),
  outcome: oneOf("one of `Outcome`", Object.values(Outcome)),
  level: oneOf("index into `levels`, below `OFF`", lineLevels),
  traceType: oneOf("one of `traceTypes`", traceTypes),
  action: oneOf("one of `routeActions`", routeActions),
  groupOperation: oneOf("one of `groupOperations`", groupOperations),
  stateOperation: oneOf("one of `stateOperations`", stateOperations),
  connectionEvent: oneOf("one of `connectionEvents`", connectionEvents),
  cause: oneOf("one of `announceCauses`", announceCauses),
  answerKind: oneOf("one of `BodyKind`, not `held` or `kept`", answerKinds),
  callKind: oneOf("one of `BodyKind`, not `held`, `kept`, `textBytes` or `jsonBytes`", callKinds),
  bodyKind: oneOf("one of `BodyKind`", Object.values(BodyKind)),
  sentBody: unread<Body>("text, bytes or null, as its kind says"),
  sentBytes: checked("bytes or null", bytesOrNull),
  givenBody: believed<Body>("text, bytes or null, as its kind says"),
  manifest: unread<FlowManifest>("`FlowManifest`"),
  attachment: believed<Attachment>("`Attachment`"),
  resources: believed<readonly ResourceData[]>("list of `ResourceData`"),
  resourceKeys: believed<readonly ResourceKey[]>("list of `ResourceKey`"),
  armTask: believed<ArmTask>("`ArmTask`"),
  sessions: believed<readonly number[]>("list of session numbers"),
};

export type FieldTypeName = keyof typeof fieldTypes;

/** The type that a writer passes for a field of this type. */
export type Written<T extends FieldTypeName> =
  (typeof fieldTypes)[T] extends FieldType<infer Value, unknown> ? Value : never;

/** The type that its reader returns. */
export type Read<T extends FieldTypeName> = ReturnType<(typeof fieldTypes)[T]["read"]>;
