/** How a component (an endpoint scheme) is defined. Its consumer is plain data for control; its producer stays in the worker. */

import type { Egress } from "../../shared/egress.ts";
import type { Trigger } from "../../shared/manifest.ts";
import type { EndpointContext } from "./endpoint-context.ts";
import type { LateModule } from "./late-module.ts";
import type { Processor } from "./processor.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";
import type { Source, SourceContext } from "./source.ts";

/** How a secret's value comes into an option: as it is, or as a part of an address (escaped, but where a host stands). */
export type SecretUse = "text" | "address";

export interface ComponentDefinition<S extends OptionsSchema = OptionsSchema> {
  readonly scheme: string;
  readonly docs: string;
  /** The option that the URI's path fills: `timer:tick` is `timer` with `timerName: tick`. */
  readonly path?: string;
  readonly options: DefineOptions<S>;
  /** A `from` or a `to` as YAML, printed in the reference and run by a test. */
  readonly example: string;
  /** true: what the URI has beside the options is not refused, but given to the producer as `parameters` (Camel: lenientProperties). */
  readonly lenient?: boolean;
  /** Present: it opens connections, with this module. Flows that have such endpoints run in threads with the network. */
  readonly network?: LateModule<unknown>;
  /** true: every thread with the network loads that module before a flow comes, since most of these flows use it. */
  readonly loadedAhead?: true;
  /** Its options, as a producer or a source, in which `{{secret:NAME}}` may stand; with any, also what is lenient. Absent: none. */
  readonly secrets?: Readonly<Record<string, SecretUse>>;
  /** The options that one end alone reads. The same URI may stand at both, as in Camel: at the other end they are warned of. */
  readonly ends?: { readonly consumer: readonly string[]; readonly producer: readonly string[] };
  /** true: it reads or writes files, in the directory that its flow's thread is given. */
  readonly files?: boolean;
  /**
   * Present: the scheme can stand in `from`, and control begins its runs, by this. A throw refuses the endpoint with the error's
   * message.
   */
  consumer?(options: OptionsOf<S>): Trigger;
  /**
   * Present: the scheme can stand in `from`, and its messages come about in the flow's thread. Called when all routes are compiled; a
   * throw refuses the endpoint with the error's message.
   */
  source?(options: OptionsOf<S>, context: SourceContext): Source;
  /**
   * true: of all deployments of a flow one at a time has its sources started, in a single thread: the next one's begin when those of
   * the one before have stopped, so that nothing is taken twice.
   */
  readonly exclusive?: true;
  /** Present: the scheme can stand in `to`. */
  producer?(options: OptionsOf<S>, context: ProducerContext): Processor;
  /** true: it keeps state in the flow's thread, so its flow has exactly one thread. */
  readonly stateful?: boolean;
}

export interface ProducerContext extends EndpointContext {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepIndex: number;
  readonly uri: string;
  /** Of a lenient component: what it has no option for. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** What may be called; undefined where nothing can be: in threads that only check flows, and in those without the network. */
  readonly egress: Egress | undefined;
  /** Ids of the flow's routes, in the manifest's order. */
  readonly routes: readonly string[];
  /** Calls a `direct:` consumer: in this flow a function call on the same exchange, else a child run in the flow that has it. */
  direct(name: string): { readonly local: boolean; readonly call: Processor };
}

/** Whether the scheme can stand in `from`. */
export function consumes({ consumer, source }: ComponentDefinition): boolean {
  return (consumer ?? source) !== undefined;
}

/** What stands in `from` asks of control; undefined: the scheme cannot stand there. Throws for options that contradict each other. */
export function triggerOf(
  { scheme, consumer, source, exclusive }: ComponentDefinition,
  options: Readonly<Record<string, unknown>>,
): Trigger | undefined {
  if (consumer !== undefined) return consumer(options as never);
  if (source === undefined) return undefined;
  return { kind: "source", scheme, ...(exclusive === true && { exclusive }) };
}

export function defineComponent<S extends OptionsSchema>(definition: ComponentDefinition<S>): ComponentDefinition {
  return definition as unknown as ComponentDefinition;
}
