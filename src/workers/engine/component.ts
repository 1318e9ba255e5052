/** How a component (an endpoint scheme) is defined. Its consumer is plain data for control; its producer stays in the worker. */
import type { Trigger } from "../../shared/manifest.ts";
import type { Processor } from "./processor.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";

export interface ComponentDefinition<S extends OptionsSchema = OptionsSchema> {
  readonly scheme: string;
  readonly docs: string;
  /** The option that the URI's path fills: `timer:tick` is `timer` with `timerName: tick`. */
  readonly path?: string;
  readonly options: DefineOptions<S>;
  /** A `from` or a `to` as YAML, printed in the reference and run by a test. */
  readonly example: string;
  /** Present: the scheme can stand in `from`. A throw refuses the endpoint with the error's message. */
  consumer?(options: OptionsOf<S>): Trigger;
  /** Present: the scheme can stand in `to`. */
  producer?(options: OptionsOf<S>, context: ProducerContext): Processor;
}

export interface ProducerContext {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepIndex: number;
  readonly uri: string;
  /** Calls a `direct:` consumer: in this flow a function call on the same exchange, else a child run in the flow that has it. */
  direct(name: string): { readonly local: boolean; readonly call: Processor };
}

export function defineComponent<S extends OptionsSchema>(definition: ComponentDefinition<S>): ComponentDefinition {
  return definition as unknown as ComponentDefinition;
}
