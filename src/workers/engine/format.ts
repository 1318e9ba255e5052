/** Defines data formats: they convert text or bytes to values (`unmarshal`) and back (`marshal`). */

import type { Limits } from "../../shared/limits.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { UseVariable } from "./shared-variables.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";
import { getVariable, requireReadable, requireSettable, setVariable } from "./variables.ts";

/** Returns the new body; may set headers such as Content-Type. A throw is the step's failure. */
export type Translate = (exchange: Exchange, body: unknown) => unknown;

export interface FormatDefinition<S extends OptionsSchema = OptionsSchema> {
  /** Camel's name: the key inside `marshal` and `unmarshal`. */
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

/** Common options of `marshal` and `unmarshal` (Camel: MarshalProcessor, UnmarshalProcessor). */
export interface Places {
  /** The variable that is translated in place of the body. */
  readonly variableSend?: string | undefined;
  /** The variable for the result; the body then stays unchanged, but headers are set. */
  readonly variableReceive?: string | undefined;
}

/** Throws for a variable that cannot be set. */
export function translateBody(
  translate: Translate,
  { variableSend, variableReceive }: Places,
  useVariable: UseVariable,
): Processor {
  if (variableReceive !== undefined) requireSettable(variableReceive, useVariable);
  if (variableSend !== undefined) requireReadable(variableSend, useVariable);
  const source = (exchange: Exchange): unknown =>
    variableSend === undefined ? exchange.message.body : getVariable(exchange, variableSend);
  return (exchange) => {
    const result = translate(exchange, source(exchange)) ?? null;
    if (variableReceive === undefined) exchange.message.body = result;
    else setVariable(exchange, variableReceive, result);
  };
}
