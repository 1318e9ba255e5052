/**
 * Reads and validates what threads send. A flow may have taken over its thread, so nothing that it sends is trusted: the port shows which thread
 * has sent a frame, and the readers throw for content that the runtime's code never sends. The thread is then killed.
 */
import { areConnectionUses } from "../../../shared/connection.ts";
import { mostNamedEndpoints } from "../../../shared/figures.ts";
import type { FlowModel } from "../../../shared/flow-model.ts";
import type { Frames } from "../../../shared/frame-shape.ts";
import { amount, type Body, bodyOf, objectOf, stepOf, text, whole } from "../../../shared/frame-values.ts";
import { controlFields } from "../../../shared/frames-to-control.ts";
import type { Limits } from "../../../shared/limits.ts";
import { type FlowManifest, isTrigger } from "../../../shared/manifest.ts";
import { mappingKinds } from "../../../shared/mapping.ts";
import { type MockAction, mockActionKinds } from "../../../shared/mock.ts";
import type {
  AnnounceCause,
  BodyKind,
  MessagePreview,
  RemoteAnswer,
  RouteAction,
  StepTraceType,
  WireError,
} from "../../../shared/protocol.ts";
import { redact } from "../../../shared/redact.ts";
import { lengthOfAttachments } from "../../../shared/shown-attachment.ts";
import { longestStateName, repositoryKinds } from "../../../shared/state.ts";
import { traceIdOf } from "../../../shared/trace-context.ts";
import type { TraceEvent } from "../../../shared/trace-event.ts";
import type { FailedSteps, HandledFailure, KeptMessage } from "../invocation.ts";
import { readShownAttachments } from "../sent-attachments.ts";

const { log, trace, call, route, begin, failed, handled, kept } = controlFields;

/** What a thread may add to a step's trace event. */
export type StepDetails = Pick<
  TraceEvent,
  "error" | "branch" | "in" | "out" | "mock" | "action" | "attempt" | "delayMs" | "by"
>;

export const mostName = 1000;
/** The longest delay of `setTimeout`, and the largest Java int. */
const longestTimeout = 2 ** 31 - 1;
/** How much longer than its limit a text may be: threads append a mark to texts that they have cut. */
const cutMark = 64;
/** The most characters that are kept of a server's answer. */
const mostOfAnswer = 2 * 4096 + cutMark;

/** Reads a log event. `at`, of each reader: index of the frame's number. */
export function readLog(
  frames: Frames,
  at: number,
  limits: Limits,
): { step: number; level: number; logger: string; message: string; marker: string } {
  return {
    step: log.step(frames, at),
    level: log.level(frames, at),
    logger: cutTo(log.logger(frames, at), mostName),
    message: cutTo(log.message(frames, at), limits.eventBytes + cutMark),
    marker: cutTo(log.marker(frames, at), mostName),
  };
}

export function readFailed(frames: Frames, at: number, limits: Limits): FailedSteps {
  const preview = failed.preview(frames, at);
  return {
    count: failed.count(frames, at),
    step: failed.step(frames, at),
    preview: preview === "" ? null : readFailedPreview(JSON.parse(preview), limits),
  };
}

export function readHandled(frames: Frames, at: number): HandledFailure {
  const answer = handled.answer(frames, at);
  return {
    step: handled.step(frames, at),
    type: cutTo(handled.type(frames, at), mostName),
    message: cutTo(handled.message(frames, at), mostName + cutMark),
    by: cutTo(handled.by(frames, at), mostName),
    detail: answer === "" ? null : readRemoteAnswer(JSON.parse(answer)),
  };
}

export function readKept(frames: Frames, at: number, limits: Limits): KeptMessage {
  const error = kept.error(frames, at);
  return {
    entry: cutTo(kept.entry(frames, at), mostName),
    deadLetter: kept.deadLetter(frames, at) === 0 ? null : readError(objectOf(JSON.parse(error)), limits),
    bytes: kept.message(frames, at),
    problem: cutTo(kept.problem(frames, at), mostName),
    group: kept.group(frames, at).length > 2 * longestStateName ? "" : kept.group(frames, at),
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
  const type = trace.type(frames, at);
  const extra = trace.extra(frames, at);
  if (extra.length > limits.eventBytes) throw new Error("a trace event is larger than an event may be");
  return {
    type,
    step: trace.step(frames, at),
    at: trace.time(frames, at),
    durationMs: trace.duration(frames, at),
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
  const name = call.name(frames, at);
  if (name.length > mostName) throw new Error("a name is short");
  const bodyKind = call.bodyKind(frames, at);
  return {
    id: call.id(frames, at),
    name,
    bodyKind,
    body: bodyOf(bodyKind, call.body(frames, at)),
    hops: call.hops(frames, at),
    extra: call.extra(frames, at),
  };
}

/** What a run asks of a route of its flow. */
export interface RouteFrame {
  readonly routeIndex: number;
  readonly action: RouteAction;
  /** For a restart: milliseconds from the stop to the start. */
  readonly delayMs: number;
}

export function readRoute(frames: Frames, at: number): RouteFrame & { readonly id: number } {
  const action = route.action(frames, at);
  const delayMs = route.delay(frames, at);
  if (delayMs > longestTimeout) throw new Error(`a delay has at most ${longestTimeout} ms`);
  return { id: route.id(frames, at), routeIndex: route.route(frames, at), action, delayMs };
}

/** An announced run that begins now. */
export interface BeginFrame {
  readonly token: number;
  readonly routeIndex: number;
  readonly cause: AnnounceCause;
  readonly uri: string;
  /** Of the message that it begins with. */
  readonly traceId: string | undefined;
}

export function readBegin(frames: Frames, at: number): BeginFrame {
  return {
    token: begin.token(frames, at),
    routeIndex: begin.route(frames, at),
    cause: begin.cause(frames, at),
    uri: shortened(begin.uri(frames, at)),
    traceId: traceIdOf(begin.traceparent(frames, at)),
  };
}

/** Reads the manifest of a flow. Throws when it does not belong to this model, since the names in it are reserved for the flow. */
export function readManifest(sent: unknown, { routes }: FlowModel): FlowManifest {
  const manifest = objectOf(sent) as Partial<FlowManifest>;
  const same =
    Array.isArray(manifest.routes) &&
    manifest.routes.length === routes.length &&
    routes.every(({ id, from }, i) => {
      const sent = manifest.routes?.[i];
      return sent?.id === id && sent.uri === from.endpoint.uri && isTrigger(sent.trigger);
    });
  const steps = Array.isArray(manifest.steps) && manifest.steps.every((step) => typeof objectOf(step).id === "string");
  const names =
    Array.isArray(manifest.externalDirects) && manifest.externalDirects.every((name) => typeof name === "string");
  const { mappings, secrets, endpoints = [], state: kept = [], connections = [] } = manifest;
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
  const keeps =
    Array.isArray(kept) &&
    kept.every(({ kind, name, routeId, stepId }) => {
      const short = [name, routeId, stepId].every((one) => typeof one === "string" && one.length <= longestStateName);
      return repositoryKinds.includes(kind) && short;
    });
  if (!keeps || !areConnectionUses(connections) || !counted || !same || !steps || !names || !uses || !needs)
    throw new Error("what it reports of the flow is not what was deployed");
  return manifest as FlowManifest;
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

export function readAction(sent: unknown): MockAction["kind"] {
  const action = mockActionKinds.find((known) => known === sent);
  if (action === undefined) throw new Error("a mock does what mocks do");
  return action;
}

export function readError(sent: unknown, limits: Limits): WireError {
  const { type, message, stepId, line, detail } = objectOf(sent);
  return {
    type: cutTo(text(type, "an error's type"), mostName),
    message: cutTo(text(message, "an error's message"), limits.eventBytes + cutMark),
    stepId: stepId === null ? null : cutTo(text(stepId, "an error's step"), mostName),
    line: line === null ? null : whole(line, "an error's line"),
    ...(detail === undefined ? {} : { detail: readRemoteAnswer(detail) }),
  };
}

export function readRemoteAnswer(sent: unknown): RemoteAnswer {
  const { status, headers, body } = objectOf(sent);
  const shown = readPreview({ headers, body, bodyType: "" }, mostOfAnswer);
  return { status: whole(status, "a status"), headers: shown.headers, body: shown.body };
}

/** Reads the preview of the message that a failed step received. */
export function readFailedPreview(sent: unknown, { previewBytes }: Limits): MessagePreview {
  return readPreview(sent, 4 * previewBytes + mostName);
}

function readPreview(sent: unknown, most: number): MessagePreview {
  const { headers: shown, body, bodyType, attachments: listed } = objectOf(sent);
  const headers = objectOf(shown);
  let length = text(body, "a preview's body").length + text(bodyType, "a preview's type").length;
  for (const [name, value] of Object.entries(headers)) length += name.length + text(value, "a preview's header").length;
  const attachments = listed === undefined ? undefined : readShownAttachments(listed);
  if (length + lengthOfAttachments(attachments) > most) throw new Error("a preview is longer than it may be");
  return {
    headers: headers as MessagePreview["headers"],
    body: body as string,
    bodyType: bodyType as string,
    ...(attachments && { attachments }),
  };
}

/** Shortens a text of a thread for logs, and hides secrets: the text of an error may be long and may contain some. */
export function shortened(text: string): string {
  return redact(text.length > mostName ? `${cutTo(text, mostName)}...` : text);
}

/** Returns at most `most` characters as a new text: a slice would keep the whole text in memory. */
export function cutTo(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most), "utf16le").toString("utf16le");
}
