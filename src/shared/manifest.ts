/** What a compiled flow asks of control. */
import type { Position } from "./diagnostic.ts";

export type Trigger = WebhookTrigger | HttpTrigger | TimerTrigger | DirectTrigger;

/** `POST /api/<route id>`. */
export interface WebhookTrigger {
  readonly kind: "webhook";
}

/** A path of its own, under the rules of Camel's platform-http. */
export interface HttpTrigger {
  readonly kind: "http";
  /** As `parseHttpPath` reads it. */
  readonly path: string;
  /** matchOnUriPrefix. */
  readonly prefix: boolean;
  /** In upper case; empty: all. */
  readonly methods: readonly string[];
  /** Media ranges without parameters, in lower case; empty: any. */
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** true: the answer to a failed run does not tell its exception's message. */
  readonly muteException: boolean;
  /** true: a request's standard headers (Accept, User-Agent, ...) are sent back like its other ones. */
  readonly returnRequestHeaders: boolean;
  /** false: a form's fields become headers only, and the body is null. */
  readonly formAsBody: boolean;
}

/** Camel's timer component, 4.22 defaults. Times in milliseconds. */
export interface TimerTrigger {
  readonly kind: "timer";
  readonly name: string;
  readonly periodMs: number;
  readonly delayMs: number;
  /** 0: for ever. */
  readonly repeatCount: number;
  readonly fixedRate: boolean;
  readonly includeMetadata: boolean;
  /** What a tick does that finds the previous one still running. */
  readonly overlap: "skip" | "queue" | "allow";
}

/** A `direct:` consumer: called from the same flow inside its thread, from other flows through the runner. */
export interface DirectTrigger {
  readonly kind: "direct";
  readonly name: string;
  /** true: flows of other groups may call it. */
  readonly shared: boolean;
}

export interface RouteManifest {
  readonly id: string;
  /** The `from` endpoint in normal form; a trigger whose uri is unchanged keeps its phase over a replacement. */
  readonly uri: string;
  readonly trigger: Trigger;
  readonly autoStartup: boolean;
}

/** One entry per step, nested ones included; frames name a step by its index in this table. */
export interface StepManifest {
  readonly id: string;
  readonly type: string;
  readonly routeId: string;
  readonly at: Position;
}

export interface FlowManifest {
  readonly routes: readonly RouteManifest[];
  readonly steps: readonly StepManifest[];
  /** `direct:` names that steps call and that no route of the flow consumes. */
  readonly externalDirects: readonly string[];
  /** true: the flow keeps state in its thread, so it has exactly one thread and is never idle. */
  readonly stateful: boolean;
}
