/** Defines components (endpoint schemes). A consumer is plain data for control; a producer stays in the worker. */

import type { Egress } from "../../shared/egress.ts";
import type { LimitName } from "../../shared/limits.ts";
import type { Trigger } from "../../shared/manifest.ts";
import type { EndpointContext } from "./endpoint-context.ts";
import type { LateModule } from "./late-module.ts";
import type { Poller, PollerContext } from "./poller.ts";
import type { Processor } from "./processor.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";
import type { Source, SourceContext } from "./source.ts";

/** How a secret's value is put into an option: unchanged, or as a part of an address, escaped except as a host. */
export type SecretUse = "text" | "address";

/** A warning of an endpoint that is valid. */
export interface Advice {
  readonly code: string;
  readonly message: string;
}

export interface ComponentDefinition<S extends OptionsSchema = OptionsSchema> {
  readonly scheme: string;
  readonly docs: string;
  /** The option that the URI's path fills: `timer:tick` is `timer` with `timerName: tick`. */
  readonly path?: string;
  readonly options: DefineOptions<S>;
  /** A `from` or a `to` as YAML, printed in the reference and run by a test. */
  readonly example: string;
  /**
   * true: unknown parameters of the URI are accepted and passed to the producer as `parameters` (Camel:
   * lenientProperties).
   */
  readonly lenient?: boolean;
  /**
   * Parameters that are taken by their prefixes, each with the option that collects them (prefixed.ts): `arg.` with `args`
   * takes `arg.queue.durable`.
   */
  readonly prefixed?: Readonly<Record<string, string>>;
  /** Present: it opens connections with this module. Flows with such endpoints run in threads with network access. */
  readonly network?: LateModule<unknown>;
  /** true: every thread with network access loads that module before a flow comes, since most of these flows use it. */
  readonly loadedAhead?: true;
  /**
   * Options of the producer or the source in which `{{secret:NAME}}` may stand; with any, lenient parameters may have
   * secrets too. Absent: none.
   */
  readonly secrets?: Readonly<Record<string, SecretUse>>;
  /**
   * Options that only one end reads. As in Camel, the same URI may be used at both ends; the other end warns of them.
   */
  readonly ends?: {
    readonly consumer: readonly string[];
    readonly producer: readonly string[];
    /** Options of the other ends that `poller` does not read. */
    readonly unpolled?: readonly string[];
  };
  /**
   * Present: the URI's path is a text of another language, in which a message's data would be read as a part of that
   * text. Returns what to write in place of a path with expressions, for a warning where a message completes the URI
   * (`toD`).
   */
  readonly dataInPath?: (path: string) => string;
  /**
   * Present: returns a warning of a path that probably means something else than what the endpoint makes of it. It may hold
   * expressions, where a message completes the URI.
   */
  readonly pathAdvice?: (path: string, flowId: string) => Advice | undefined;
  /** Present: returns a warning of a source that may do something else than is meant. */
  readonly sourceAdvice?: (options: OptionsOf<S>) => Advice | undefined;
  /** Options of the producer and the poller that a limit of the flow bounds (bounded-option.ts), whatever the rest of the URI is. */
  readonly bounds?: Readonly<Record<string, LimitName>>;
  /**
   * Present: its endpoints use a connection of these kinds, which `option` names unless one of the options `unless` names a
   * server. So a URI that a message completes is known to use one.
   */
  readonly connects?: {
    readonly kinds: readonly string[];
    readonly option: string;
    readonly unless: readonly string[];
    /** What the path is: a server of the endpoint's own, or the connection's name. Absent: neither of these. */
    readonly path?: "server" | "name";
    /** true: only a value of `option` that begins with # is a name, and any other one is a server. */
    readonly marked?: boolean;
    /** true: an endpoint that names none uses none. */
    readonly optional?: boolean;
    /** Names that stand for the default connection. */
    readonly defaults?: readonly string[];
  };
  /** true: it reads or writes files in the directory of its flow's thread. */
  readonly files?: boolean;
  /**
   * Present: the scheme can be used in `from`, and control begins its runs by the returned trigger. A throw refuses the
   * endpoint with the error's message.
   */
  consumer?(options: OptionsOf<S>): Trigger;
  /**
   * Present: the scheme can be used in `from`, and its messages originate in the flow's thread. Called when all routes
   * are compiled; a throw refuses the endpoint with the error's message.
   */
  source?(options: OptionsOf<S>, context: SourceContext): Source;
  /** Why the scheme cannot be used in `from`, where Camel's can. */
  readonly noConsumer?: string;
  /**
   * true: only one deployment of a flow at a time, in a single thread, has its sources started. Sources of the next
   * deployment start when the previous ones have stopped, so that no message is consumed twice.
   */
  readonly exclusive?: true;
  /**
   * Whether only one runtime at a time may consume with it: two with the same flow would each begin a run for the same tick, file, row or
   * message. Stated by every component that can be used in `from`.
   */
  readonly once?: boolean | OnceWhen<OptionsOf<S>>;
  /** true: its source looks for messages from time to time. Its routes can then be begun by hand, too. */
  readonly polls?: true;
  /** true: its source can look at messages without taking them (`Source.peek`). */
  readonly peeks?: true;
  /**
   * Present: steps can poll the scheme (`poll`, `pollEnrich`). Called when the route is compiled, or when a message names
   * the endpoint; a throw refuses the endpoint with the error's message.
   */
  poller?(options: OptionsOf<S>, context: PollerContext): Poller;
  /** What a poll does there. Stated by every component with a poller. */
  readonly pollEffect?: Effect;
  /** Whether `to` waits for a reply when the sender of the message waits for an answer; absent: it does not matter. */
  awaitsReply?(options: OptionsOf<S>): boolean;
  /**
   * What sending to it does elsewhere, as far as the options say it; where they do not, it `writes`. Stated by every component with a
   * producer.
   */
  readonly effect?: Effect | ((options: OptionsOf<S>) => Effect);
  /** Present: the scheme can be used in `to`. */
  producer?(options: OptionsOf<S>, context: ProducerContext): Processor;
  /** true: it keeps state in the flow's thread, so its flow has exactly one thread. */
  readonly stateful?: boolean;
}

export interface ProducerContext extends EndpointContext {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepIndex: number;
  readonly uri: string;
  /** For a lenient component: the parameters that are not options. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /**
   * The addresses that may be called; undefined in threads that only check flows, and in those without network access.
   */
  readonly egress: Egress | undefined;
  /** Ids of the flow's routes, in the manifest's order. */
  readonly routes: readonly string[];
  /**
   * Calls a `direct:` consumer: a consumer of this flow as a function on the same exchange, one of another flow as a
   * child run there.
   */
  direct(name: string): { readonly local: boolean; readonly call: Processor };
}

/**
 * - none: it changes the message alone, or writes to the log
 * - reads: it asks a server, and changes nothing there
 * - writes: it may change something outside of the message
 */
export type Effect = "none" | "reads" | "writes";

/** Of a producer with these options. */
export function effectOf({ effect = "writes" }: ComponentDefinition, options: object): Effect {
  return typeof effect === "function" ? effect(options as never) : effect;
}

/** Only sources with certain options may run in one runtime alone. */
export interface OnceWhen<Options> {
  readonly is: (options: Options) => boolean;
  /** What the reference has behind "when": `it consumes a topic`. */
  readonly when: string;
}

/** Whether only one runtime at a time may consume with these options. */
export function runsOnce({ once }: ComponentDefinition, options: Readonly<Record<string, unknown>>): boolean {
  return typeof once === "object" ? once.is(options as never) : once === true;
}

/** Whether the scheme can be used in `from`. */
export function consumes({ consumer, source }: ComponentDefinition): boolean {
  return (consumer ?? source) !== undefined;
}

/**
 * Returns the trigger of a `from` endpoint; undefined for a scheme that cannot be used there. Throws for options that
 * contradict each other.
 */
export function triggerOf(
  { scheme, consumer, source, exclusive, polls, peeks }: ComponentDefinition,
  options: Readonly<Record<string, unknown>>,
): Trigger | undefined {
  if (consumer !== undefined) return consumer(options as never);
  if (source === undefined) return undefined;
  return {
    ...{ kind: "source", scheme },
    ...(exclusive === true && { exclusive }),
    ...(polls === true && { polls }),
    ...(peeks === true && { peeks }),
  };
}

export function defineComponent<S extends OptionsSchema>(definition: ComponentDefinition<S>): ComponentDefinition {
  return definition as unknown as ComponentDefinition;
}
