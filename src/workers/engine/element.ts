/**
 * Defines elements that stand beside `route` in a document: their options. The compiler builds their behaviour into
 * routes (compile/).
 */
import type { DefineOptions, OptionsSchema } from "./slots.ts";

export interface ElementDefinition<S extends OptionsSchema = OptionsSchema> {
  /** Camel's name: the key at the top of a document. */
  readonly name: string;
  readonly docs: string;
  readonly options: DefineOptions<S>;
  /** The option that the string form fills. */
  readonly short?: string;
  /** A document's items as YAML. */
  readonly example: string;
}

export function defineElement<S extends OptionsSchema>(definition: ElementDefinition<S>): ElementDefinition<S> {
  return definition;
}
