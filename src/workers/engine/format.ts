/** How a data format is defined: text or bytes to values (`unmarshal`) and back (`marshal`). */
import type { Limits } from "../../shared/limits.ts";
import type { Exchange } from "./exchange.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";

/** The new body; it may set headers such as Content-Type. A throw is the step's failure. */
export type Translate = (exchange: Exchange, body: unknown) => unknown;

export interface FormatDefinition<S extends OptionsSchema = OptionsSchema> {
  /** Camel's name: the key inside of `marshal` and `unmarshal`. */
  readonly name: string;
  readonly docs: string;
  readonly options: DefineOptions<S>;
  /** The option that the string form fills: `marshal: {json: Jackson}`. */
  readonly short?: string;
  /** A `marshal` or an `unmarshal` as YAML, printed in the reference and run by a test. */
  readonly example: string;
  /** A throw refuses the options. */
  marshal?(options: OptionsOf<S>, limits: Limits): Translate;
  unmarshal?(options: OptionsOf<S>, limits: Limits): Translate;
}

export function defineFormat<S extends OptionsSchema>(definition: FormatDefinition<S>): FormatDefinition {
  return definition as unknown as FormatDefinition;
}
