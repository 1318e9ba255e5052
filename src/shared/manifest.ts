/** The facts about a compiled flow that control needs. */

import type { ConnectionUse } from "./connection.ts";
import type { Position } from "./diagnostic.ts";
import type { MappingUse } from "./mapping.ts";
import type { StateUse } from "./state.ts";

export type Trigger = WebhookTrigger | HttpTrigger | ClockTrigger | DirectTrigger | SourceTrigger;

/** Served as `POST /api/<route id>`. */
export interface WebhookTrigger {
  readonly kind: "webhook";
}

/** Served under a path of the route, by the rules of Camel's platform-http. */
export interface HttpTrigger {
  readonly kind: "http";
  /** The path in the form that `parseHttpPath` reads. */
  readonly path: string;
  /** Whether longer paths match, too (matchOnUriPrefix). */
  readonly prefix: boolean;
  /** Methods in upper case; empty: all. */
  readonly methods: readonly string[];
  /** Media ranges without parameters, in lower case; empty: any. */
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** true: the answer to a failed run does not contain its exception's message. */
  readonly muteException: boolean;
  /** true: a request's standard headers (Accept, User-Agent, ...) are sent back like its other headers. */
  readonly returnRequestHeaders: boolean;
  /** false: a form's fields only become headers, and the body is null. */
  readonly formAsBody: boolean;
  /** Endings of files that a form may upload, in lower case; absent: any. */
  readonly fileExtensions?: readonly string[];
}

/** Triggers that begin runs at certain times. */
export type ClockTrigger = TimerTrigger | SchedulerTrigger | QuartzTrigger;

/** What happens at a tick while the previous run is still active. */
export type Overlap = "skip" | "queue" | "allow";

/** Camel's timer component, 4.22 defaults. Times in milliseconds. */
export interface TimerTrigger {
  readonly kind: "timer";
  readonly name: string;
  readonly periodMs: number;
  readonly delayMs: number;
  /** 0: without end. */
  readonly repeatCount: number;
  readonly fixedRate: boolean;
  readonly includeMetadata: boolean;
  readonly overlap: Overlap;
}

/** Camel's scheduler component. Times in milliseconds. */
export interface SchedulerTrigger {
  readonly kind: "scheduler";
  readonly name: string;
  readonly periodMs: number;
  readonly delayMs: number;
  /** 0: without end. */
  readonly repeatCount: number;
  /** false: the period counts from the end of a run, so that runs never overlap. */
  readonly fixedRate: boolean;
  readonly includeMetadata: boolean;
  readonly overlap: Overlap;
}

/** Camel's quartz and cron components. Times in milliseconds. */
export interface QuartzTrigger {
  readonly kind: "quartz";
  readonly group: string;
  readonly name: string;
  /** Milliseconds until ticks may begin. */
  readonly delayMs: number;
  /** A cron expression as shared/cron.ts reads it and an IANA time zone; or a period, with 0 for ticks without end. */
  readonly schedule:
    | { readonly cron: string; readonly timeZone: string }
    | { readonly periodMs: number; readonly repeatCount: number };
  readonly overlap: Overlap;
}

/** A `direct:` consumer: called from the same flow inside its thread, from other flows through the runner. */
export interface DirectTrigger {
  readonly kind: "direct";
  readonly name: string;
  /** true: flows of other groups may call it. */
  readonly shared: boolean;
}

/** A source in the flow's thread that announces its runs. Control only decides when it may start. */
export interface SourceTrigger {
  readonly kind: "source";
  /** The endpoint's scheme, which becomes the trigger's kind in run records. */
  readonly scheme: string;
  /** Present: only one deployment of the flow may have it started at a time. */
  readonly exclusive?: true;
  /** Present: it looks for messages from time to time, so a run may also be begun by hand. */
  readonly polls?: true;
  /** Present: its messages can be looked at without being taken. */
  readonly peeks?: true;
}

export interface RouteManifest {
  readonly id: string;
  /** The `from` endpoint in normal form. A trigger with an unchanged uri keeps its phase when the flow is replaced. */
  readonly uri: string;
  readonly trigger: Trigger;
  readonly autoStartup: boolean;
  /** Present: only one runtime may run it at a time, since each would begin a run for the same tick, file, row or message. */
  readonly once?: true;
}

/** One entry per step, nested ones included; frames name a step by its index in this table. */
export interface StepManifest {
  readonly id: string;
  readonly type: string;
  readonly routeId: string;
  readonly at: Position;
  /** Present: the step calls something outside the flow: a server, a file, another flow. */
  readonly outbound?: true;
  /** What the endpoints that it sends to or polls do outside of the message, as far as their options say it; absent: nothing. */
  readonly effect?: "reads" | "writes";
  /** Present: the step's answer goes into a variable, and the message stays unchanged. */
  readonly receivesVariable?: true;
}

/** By the step's id. Steps without an effect are left out. */
export type StepEffects = Readonly<Record<string, NonNullable<StepManifest["effect"]>>>;

/** `steps`: as a thread reports them, which need not be valid beside their ids. */
export function stepEffects(steps: readonly StepManifest[]): StepEffects {
  return Object.fromEntries(
    steps.flatMap(({ id, effect }) => (effect === "reads" || effect === "writes" ? [[id, effect]] : [])),
  );
}

export interface FlowManifest {
  readonly routes: readonly RouteManifest[];
  readonly steps: readonly StepManifest[];
  /** `direct:` names that steps call but no route of the flow consumes. */
  readonly externalDirects: readonly string[];
  /** true: the flow keeps state in its thread, so it has exactly one thread and is never idle. */
  readonly stateful: boolean;
  /** true: the flow makes calls, so its threads have network access. */
  readonly network: boolean;
  /** true: the flow reads or writes files, so its threads have a directory of its own. */
  readonly files: boolean;
  /** The mappings that it uses. Its threads get their updates. */
  readonly mappings: readonly MappingUse[];
  /** Names of the secrets whose values its threads get. */
  readonly secrets: readonly string[];
  /** The repositories of the state store that it uses; absent: none, and it never asks for one. */
  readonly state?: readonly StateUse[];
  /** The named connections that it uses; absent: none, and it never asks for one. Its threads get their changes. */
  readonly connections?: readonly ConnectionUse[];
  /** true: its thread is notified when the flow serves and when it ends (the frames `serve`, `halt` and `finish`). */
  readonly lifecycle: boolean;
  /** Names of the endpoints whose calls its threads count, by row (figures.ts); absent when its text names none. */
  readonly endpoints?: readonly string[];
}

/** Whether only one deployment of the flow, with one thread, may have its source started at a time. */
export function isExclusive({ trigger }: RouteManifest): boolean {
  return trigger.kind === "source" && trigger.exclusive === true;
}

/**
 * Whether the route begins runs that nobody asks for: it has a clock, or a source that gets its messages from outside of
 * the flow.
 */
export function beginsByItself({ trigger }: Pick<RouteManifest, "trigger">): boolean {
  if (trigger.kind === "source") return trigger.scheme !== "seda";
  return trigger.kind === "timer" || trigger.kind === "scheduler" || trigger.kind === "quartz";
}

/** Whether the route waits in a runtime that has restored data: it begins runs by itself, or goes on with groups that are kept. */
export function waitsForStart({ state = [] }: Pick<FlowManifest, "state">, route: RouteManifest): boolean {
  return beginsByItself(route) || state.some(({ kind, routeId }) => kind === "aggregation" && routeId === route.id);
}

/**
 * Whether the flow has exactly one thread: it keeps state there, or several threads would consume the same messages.
 */
export function hasOneThread({ stateful, routes }: Pick<FlowManifest, "stateful" | "routes">): boolean {
  return stateful || routes.some(isExclusive);
}

const schemeGrammar = /^[a-z][a-z0-9+.-]{0,63}$/i;

/** Whether a trigger that a thread reports is valid in the fields that control publishes. */
export function isTrigger(trigger: Trigger | undefined): boolean {
  if (typeof trigger?.kind !== "string") return false;
  return trigger.kind !== "source" || (typeof trigger.scheme === "string" && schemeGrammar.test(trigger.scheme));
}
