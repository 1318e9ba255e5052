/** A run as the API returns it (docs/api.md 5), made from its record at each request. */
import { roundedMs } from "../../shared/duration.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { MappingVersion } from "../../shared/mapping.ts";
import type { RecordedMessage, StepRecord } from "../../shared/mock.ts";
import type { MessagePreview, RemoteAnswer, WireError } from "../../shared/protocol.ts";
import type { RunProgress } from "../threads/invocation.ts";
import type { PassedLimit, RunOutcome, RunRecord, RunStatus, RunTrigger } from "./run-record.ts";

export interface HandledDocument {
  readonly stepId: string | null;
  readonly type: string;
  readonly message: string;
  readonly by: string;
  readonly detail?: RemoteAnswer;
}

/** Returns how far a run under way has come; undefined: not known. */
export type ProgressOf = (runId: string) => RunProgress | undefined;

export const unknownProgress: ProgressOf = () => undefined;

/** The trigger of a run. If a source has begun it, the kind is the scheme of the source's endpoint. */
export type ShownTrigger = Omit<RunTrigger, "kind" | "scheme"> & { readonly kind: string };

/** Times are ISO 8601; durations and `queueMs` are milliseconds. */
export interface RunDocument {
  readonly id: string;
  readonly flowId: string;
  readonly routeId: string;
  readonly hash: string;
  readonly revision: number;
  readonly trigger: ShownTrigger;
  readonly status: RunStatus;
  readonly outcome: RunOutcome | null;
  readonly startedAt: string;
  /** null while it runs; `durationMs` is then the time so far. */
  readonly finishedAt: string | null;
  readonly durationMs: number;
  readonly queueMs: number;
  readonly cpuMs: number;
  readonly httpStatus: number | null;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** `failed` includes steps whose failure was handled; `failedStepId`: the step that the run failed in. */
  readonly steps: { readonly executed: number; readonly failed: number; readonly failedStepId: string | null };
  /** The first ten failures that the flow handled itself. `stepId` null: no step failed. `by`: the construct that handled it, and its line. */
  readonly handled: readonly HandledDocument[];
  /** How many runs it has caused: wire taps, messages for queues, aggregation groups, calls of other flows. */
  readonly children: { readonly started: number; readonly failed: number; readonly running: number };
  /** While it runs: of the outermost split under way, how many parts have ended, and of how many if that is known. */
  readonly split: RunProgress["split"];
  readonly error: WireError | null;
  readonly traceId: string;
  readonly parentRunId: string | null;
  readonly testSessionId: string | null;
  readonly worker: number | null;
  /** The limit that it was stopped for. */
  readonly limit: PassedLimit | null;
  /** The run that its thread was killed for, if that was another run. */
  readonly lostWith: string | null;
  /** The runs that were lost because its thread was killed for it: at most a hundred of `collateralCount`. */
  readonly collateral: readonly string[];
  readonly collateralCount: number;
  /** 1: it was begun anew in another thread, because its first thread was killed for another run. */
  readonly reruns: number;
}

export interface StepRunDocument {
  readonly id: string;
  readonly type: string;
  readonly start: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly status: "completed" | "failed";
  /** true: a mock of a test session answered instead of the step, or recorded its call. */
  readonly mocked: boolean;
  /** The message as the step received it and as it left it. */
  readonly in?: MessagePreview;
  readonly out?: MessagePreview;
  /** The error of the step, also when the run went on. */
  readonly error?: { readonly type: string; readonly message: string };
  /** true: its messages were not recorded, since those of the run were too large together. */
  readonly omitted?: true;
  /** true: the step left the body as it was, although `in` and `out` show different parts of it. */
  readonly sameBody?: true;
}

export interface RunDetail extends RunDocument {
  /** The versions of the flow's mappings that existed when the run began in its thread. */
  readonly mappings: readonly MappingVersion[];
  /**
   * Executions of steps in the order of their start; a step comes before the steps inside of it. Threads note the times of the
   * first steps only: a later step that failed comes last, with the end of the run as its start.
   */
  readonly stepRuns: StepRunDocument[];
}

export function runDocument(record: RunRecord, progressOf: ProgressOf): RunDocument {
  const running = record.status === "running";
  const progress = running ? progressOf(record.id) : undefined;
  const durationMs = running ? performance.now() - record.began : record.durationMs;
  return {
    id: record.id,
    flowId: record.owner.flowId,
    routeId: record.routeId,
    hash: record.owner.hash,
    revision: record.owner.revision,
    trigger: shownTrigger(record.trigger),
    status: record.status,
    outcome: record.outcome,
    startedAt: new Date(record.startedAt).toISOString(),
    finishedAt: running ? null : new Date(record.startedAt + durationMs).toISOString(),
    durationMs: roundedMs(durationMs),
    queueMs: roundedMs(record.queueMs),
    cpuMs: roundedMs(progress?.cpuMs ?? record.cpuMs),
    httpStatus: record.httpStatus,
    bytesIn: record.bytesIn,
    bytesOut: record.bytesOut,
    steps: {
      executed: progress?.executed ?? record.stepsExecuted,
      failed: progress?.failed ?? record.stepsFailed,
      failedStepId: record.error?.stepId ?? null,
    },
    handled: record.handled.map(({ step, type, message, by, detail }) => ({
      stepId: record.owner.manifest.steps[step]?.id ?? null,
      ...{ type, message, by },
      ...(detail !== null && { detail }),
    })),
    children: childrenOf(record),
    split: progress?.split ?? null,
    error: record.error,
    traceId: record.traceId,
    parentRunId: record.parentRunId,
    testSessionId: record.testSessionId,
    worker: record.worker,
    limit: record.limit,
    lostWith: record.lostWith,
    collateral: record.collateral,
    collateralCount: record.collateralCount,
    reruns: record.reruns,
  };
}

function childrenOf({ children }: RunRecord): RunDocument["children"] {
  const { started = 0, failed = 0, running = 0 } = children ?? {};
  return { started, failed, running };
}

export function runDetail(record: RunRecord, progressOf = unknownProgress): RunDetail {
  return { ...runDocument(record, progressOf), mappings: record.mappings, stepRuns: stepRuns(record) };
}

interface Noted {
  readonly step: number;
  readonly recorded: StepRecord | undefined;
  /** Milliseconds after the run began in its thread. */
  readonly start: number;
  readonly duration: number;
}

function stepRuns(record: RunRecord): StepRunDocument[] {
  const { steps } = record.owner.manifest;
  const noted: Noted[] = [];
  const { timings } = record;
  const records = new Map(record.steps.map((step) => [step.timing, step]));
  for (let i = 0; i + 2 < timings.length; i += 3) {
    const [step = -1, start = 0, duration = 0] = timings.slice(i, i + 3);
    noted.push({ step, start, duration, recorded: records.get(i / 3) });
  }
  const failed = new Set(record.failedTimings.map((place) => noted[place]));
  const failedId = record.error?.stepId ?? steps[record.lastFailedStep]?.id ?? null;
  const culprit = noted.findLast((run) => failed.has(run) && steps[run.step]?.id === failedId);

  const documents = noted
    .toSorted((a, b) => a.start - b.start || b.duration - a.duration)
    .map(
      (run): StepRunDocument => ({
        ...named(record, run.step),
        start: new Date(record.startedAt + record.queueMs + run.start).toISOString(),
        duration: roundedMs(run.duration),
        status: failed.has(run) || run.recorded?.error !== undefined ? "failed" : "completed",
        mocked: run.recorded?.mocked === true,
        ...(run === culprit && record.preview !== null && { in: record.preview }),
        ...(run.recorded !== undefined && messagesOf(run.recorded)),
      }),
    );
  const untimed = failedId === null || culprit !== undefined ? -1 : steps.findIndex(({ id }) => id === failedId);
  if (untimed >= 0) {
    documents.push({
      ...named(record, untimed),
      start: new Date(record.startedAt + record.durationMs).toISOString(),
      duration: 0,
      status: "failed",
      mocked: false,
      ...(record.preview !== null && { in: record.preview }),
    });
  }
  return documents;
}

function messagesOf({ in: received, out, error, omitted, sameBody }: StepRecord): Partial<StepRunDocument> {
  const before = received && previewOf(received);
  const after = out && previewOf(out);
  return {
    ...(before !== undefined && { in: before }),
    ...(after !== undefined && { out: after }),
    ...(error !== undefined && { error: { type: error.type, message: error.message } }),
    ...(omitted && { omitted }),
    ...(sameBody && before?.body !== after?.body && { sameBody }),
  };
}

function named(record: RunRecord, step: number): { id: string; type: string } {
  const { id = "", type = "" } = record.owner.manifest.steps[step] ?? {};
  return { id, type };
}

function shownTrigger({ scheme, ...trigger }: RunTrigger): ShownTrigger {
  return scheme === undefined ? trigger : { ...trigger, kind: scheme };
}

const { previewBytes } = defaultLimits;
const mostHeader = 512;
/** The previews by message: steps with the same message share one. */
const made = new WeakMap<RecordedMessage, MessagePreview>();

/** Makes a preview as threads do: headers take at most half of it, and texts that were cut end with `...`. */
export function previewOf(message: RecordedMessage): MessagePreview {
  const known = made.get(message);
  if (known !== undefined) return known;
  const headers: Record<string, string> = Object.create(null);
  let left = previewBytes;
  for (const [name, value] of Object.entries(message.headers)) {
    const text = cut(textOf(value), mostHeader);
    if (left - name.length - text.length < previewBytes / 2) break;
    left -= name.length + text.length;
    headers[name] = text;
  }
  const body = message.cut === true ? `${textOf(message.body)}...` : textOf(message.body);
  const { bodyType, attachments } = message;
  const preview = { headers: { ...headers }, body: cut(body, left), bodyType, ...(attachments && { attachments }) };
  made.set(message, preview);
  return preview;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 3))}...`;
}
