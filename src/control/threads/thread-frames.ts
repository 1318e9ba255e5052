/**
 * What a thread tells, read as from a stranger: control goes by the port for whose it is, and by this file for what it is.
 * Each reader throws for what the runtime's own threads never send; the thread is then killed for it.
 */
import { mostNamedEndpoints } from "../../shared/figures.ts";
import type { FlowModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { mappingKinds } from "../../shared/mapping.ts";
import { type MockAction, mockActionKinds } from "../../shared/mock.ts";
import type { MessagePreview, RemoteAnswer, StepTraceType, WireError } from "../../shared/protocol.ts";
import {
  type AnnounceCause,
  announceCauses,
  BodyKind,
  levels,
  type RouteAction,
  routeActions,
  traceTypes,
} from "../../shared/protocol.ts";
import { redact } from "../../shared/redact.ts";
import type { TraceEvent } from "../../shared/trace-event.ts";

type Frames = readonly unknown[];
type Body = string | Uint8Array | null;

/** What a step's trace event may add to what control knows of it. */
export type StepDetails = Pick<
  TraceEvent,
  "error" | "branch" | "in" | "out" | "mock" | "action" | "attempt" | "delayMs" | "by"
>;

export const mostName = 1000;
/** Of `setTimeout`, and of a Java int. */
const longestTimeout = 2 ** 31 - 1;
/** Those of answers: a held body never leaves its thread. */
export const answerKinds: readonly BodyKind[] = Object.values(BodyKind).filter((kind) => kind !== BodyKind.held);
const asBytes: readonly BodyKind[] = [BodyKind.bytes, BodyKind.textBytes, BodyKind.jsonBytes];
const callKinds = answerKinds.filter((kind) => kind !== BodyKind.textBytes && kind !== BodyKind.jsonBytes);
/** Of a text that control cuts, how much more than its limit is let through: the thread has said there that it was cut. */
const cutMark = 64;
/** Of what is kept of a server's answer, in characters. */
const mostOfAnswer = 2 * 4096 + cutMark;

/** `at` is the index of a frame's first field. */
export function readLog(
  frames: Frames,
  at: number,
  limits: Limits,
): { step: number; level: number; logger: string; message: string } {
  const level = whole(frames[at + 2], "a level");
  if (level >= levels.indexOf("OFF")) throw new Error("a line has a level");
  return {
    step: stepOf(frames[at + 1]),
    level,
    logger: cutTo(text(frames[at + 3], "a logger"), mostName),
    message: cutTo(text(frames[at + 4], "a message"), limits.eventBytes + cutMark),
  };
}

export interface StepTrace {
  readonly type: StepTraceType;
  readonly step: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  readonly details: StepDetails;
}

export function readTrace(frames: Frames, at: number, limits: Limits): StepTrace {
  const type = traceTypes.find((known) => known === frames[at + 1]);
  if (type === undefined) throw new Error("a trace event has a type");
  const extra = text(frames[at + 5], "extra");
  if (extra.length > limits.eventBytes) throw new Error("a trace event is larger than an event may be");
  return {
    type,
    step: stepOf(frames[at + 2]),
    at: amount(frames[at + 3], "a time"),
    durationMs: amount(frames[at + 4], "a duration"),
    details: extra === "" ? {} : readDetails(objectOf(JSON.parse(extra)), limits),
  };
}

export interface CallFrame {
  readonly id: number;
  readonly name: string;
  readonly bodyKind: BodyKind;
  readonly body: Body;
  readonly hops: number;
  readonly extra: string;
}

export function readCall(frames: Frames, at: number): CallFrame {
  const name = text(frames[at + 2], "a name");
  if (name.length > mostName) throw new Error("a name is short");
  const bodyKind = kindOf(frames[at + 3], callKinds);
  return {
    id: whole(frames[at], "a call's id"),
    name,
    bodyKind,
    body: bodyOf(bodyKind, frames[at + 4]),
    hops: whole(frames[at + 5], "hops"),
    extra: text(frames[at + 6], "extra"),
  };
}

/** What a run wants of a route of its flow. */
export interface RouteFrame {
  readonly routeIndex: number;
  readonly action: RouteAction;
  /** Of a restart: milliseconds from the stop to the start. */
  readonly delayMs: number;
}

export function readRoute(frames: Frames, at: number): RouteFrame & { readonly id: number } {
  const action = routeActions.find((known) => known === frames[at + 3]);
  if (action === undefined) throw new Error("something that is done to a route has a name");
  const delayMs = whole(frames[at + 4], "a delay");
  if (delayMs > longestTimeout) throw new Error(`a delay has at most ${longestTimeout} ms`);
  return { id: whole(frames[at], "a call's id"), routeIndex: whole(frames[at + 2], "a route"), action, delayMs };
}

/** An announced run that begins now. */
export interface BeginFrame {
  readonly token: number;
  readonly routeIndex: number;
  readonly cause: AnnounceCause;
  readonly uri: string;
}

export function readBegin(frames: Frames, at: number): BeginFrame {
  const cause = announceCauses.find((known) => known === frames[at + 2]);
  if (cause === undefined) throw new Error("an announced run has a cause");
  return {
    token: whole(frames[at], "a token"),
    routeIndex: whole(frames[at + 1], "a route"),
    cause,
    uri: shortened(text(frames[at + 3], "a uri")),
  };
}

/** The manifest of this model, and of no other: what it names is claimed for the flow. */
export function readManifest(told: unknown, { routes }: FlowModel): FlowManifest {
  const manifest = objectOf(told) as Partial<FlowManifest>;
  const same =
    Array.isArray(manifest.routes) &&
    manifest.routes.length === routes.length &&
    routes.every(({ id, from }, i) => {
      const told = manifest.routes?.[i];
      return told?.id === id && told.uri === from.endpoint.uri && typeof told.trigger?.kind === "string";
    });
  const steps = Array.isArray(manifest.steps) && manifest.steps.every((step) => typeof objectOf(step).id === "string");
  const names =
    Array.isArray(manifest.externalDirects) && manifest.externalDirects.every((name) => typeof name === "string");
  const { mappings, secrets, endpoints = [] } = manifest;
  const uses =
    Array.isArray(mappings) &&
    mappings.every(({ kind, id, routeId, stepId }) => {
      return mappingKinds.includes(kind) && [id, routeId, stepId].every((name) => typeof name === "string");
    });
  const needs = Array.isArray(secrets) && secrets.every((name) => typeof name === "string");
  const counted =
    Array.isArray(endpoints) &&
    endpoints.length <= mostNamedEndpoints &&
    endpoints.every((name) => typeof name === "string" && name.length <= mostName);
  if (!counted || !same || !steps || !names || !uses || !needs)
    throw new Error("what it told of the flow is not what was deployed");
  return manifest as FlowManifest;
}

export function kindOf(told: unknown, kinds: readonly BodyKind[]): BodyKind {
  if (!kinds.includes(told as BodyKind)) throw new Error("a body has a kind");
  return told as BodyKind;
}

export function bodyOf(kind: BodyKind, body: unknown): Body {
  if (kind === BodyKind.none || kind === BodyKind.unwritten) return null;
  if (!asBytes.includes(kind)) return text(body, "a body");
  // Shared memory could still be changed by the thread, after it was checked or by another flow that it is handed to.
  if (!(body instanceof Uint8Array) || body.buffer instanceof SharedArrayBuffer) throw new Error("a body is bytes");
  return body;
}

function readDetails(extra: Readonly<Record<string, unknown>>, limits: Limits): StepDetails {
  const { error, branch, in: received, out: sent, mock, action, attempt, delayMs, by } = extra;
  return {
    ...(error === undefined ? {} : { error: readError(error, limits) }),
    ...(branch === undefined ? {} : { branch: stepOf(branch) }),
    ...(received === undefined ? {} : { in: readPreview(received, limits.eventBytes) }),
    ...(sent === undefined ? {} : { out: readPreview(sent, limits.eventBytes) }),
    ...(mock === undefined ? {} : { mock: whole(mock, "a mock") }),
    ...(action === undefined ? {} : { action: readAction(action) }),
    ...(attempt === undefined ? {} : { attempt: whole(attempt, "an attempt") }),
    ...(delayMs === undefined ? {} : { delayMs: amount(delayMs, "a delay") }),
    ...(by === undefined ? {} : { by: cutTo(text(by, "what handled it"), mostName) }),
  };
}

export function readAction(told: unknown): MockAction["kind"] {
  const action = mockActionKinds.find((known) => known === told);
  if (action === undefined) throw new Error("a mock does what mocks do");
  return action;
}

export function readError(told: unknown, limits: Limits): WireError {
  const { type, message, stepId, line, detail } = objectOf(told);
  return {
    type: cutTo(text(type, "an error's type"), mostName),
    message: cutTo(text(message, "an error's message"), limits.eventBytes + cutMark),
    stepId: stepId === null ? null : cutTo(text(stepId, "an error's step"), mostName),
    line: line === null ? null : whole(line, "an error's line"),
    ...(detail === undefined ? {} : { detail: readRemoteAnswer(detail) }),
  };
}

export function readRemoteAnswer(told: unknown): RemoteAnswer {
  const { status, headers, body } = objectOf(told);
  const shown = readPreview({ headers, body, bodyType: "" }, mostOfAnswer);
  return { status: whole(status, "a status"), headers: shown.headers, body: shown.body };
}

/** Of the message that a step received which failed. */
export function readFailedPreview(told: unknown, { previewBytes }: Limits): MessagePreview {
  return readPreview(told, 4 * previewBytes + mostName);
}

function readPreview(told: unknown, most: number): MessagePreview {
  const { headers: shown, body, bodyType } = objectOf(told);
  const headers = objectOf(shown);
  let length = text(body, "a preview's body").length + text(bodyType, "a preview's type").length;
  for (const [name, value] of Object.entries(headers)) length += name.length + text(value, "a preview's header").length;
  if (length > most) throw new Error("a preview is longer than it may be");
  return { headers: headers as MessagePreview["headers"], body: body as string, bodyType: bodyType as string };
}

/** What a thread says of itself, for people: an error's text may be long, and may have secrets in it. */
export function shortened(told: string): string {
  return redact(told.length > mostName ? `${cutTo(told, mostName)}...` : told);
}

/** At most so many characters of it, in memory of their own: a slice of a text keeps the whole of it. */
export function cutTo(told: string, most: number): string {
  return told.length <= most ? told : Buffer.from(told.slice(0, most), "utf16le").toString("utf16le");
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("an object is missing");
  return value as Readonly<Record<string, unknown>>;
}

export function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new Error(`${what} is a text`);
  return value;
}

/** Index of a step; -1 for none. */
export function stepOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < -1) throw new Error("a step is an index");
  return value as number;
}

export function whole(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(`${what} is a whole number`);
  return value as number;
}

/** Up to the last time that a Date has, in milliseconds. */
export function amount(value: unknown, what: string): number {
  if (typeof value !== "number" || !(value >= 0 && value <= 8.64e15)) throw new Error(`${what} is a number`);
  return value;
}
