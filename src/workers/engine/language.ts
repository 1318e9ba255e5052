/** How an expression language is defined. Its text is interpreted or compiled to closures; it never becomes JavaScript source. */
import type { Expression, Predicate } from "./processor.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";

export interface LanguageDefinition<S extends OptionsSchema = OptionsSchema> {
  readonly name: string;
  readonly docs: string;
  /** The language's own options beside `expression`, `resultType`, `trim` and `id`. */
  readonly options: DefineOptions<S>;
  /** An expression text that the reference prints. */
  readonly example: string;
  /** Throws ExpressionSyntaxError. */
  expression(text: string, options: OptionsOf<S>): Expression;
  /** Throws ExpressionSyntaxError. Absent: the expression's value decides, by Camel's rule for values as predicates. */
  predicate?(text: string, options: OptionsOf<S>): Predicate;
}

export function defineLanguage<S extends OptionsSchema>(definition: LanguageDefinition<S>): LanguageDefinition {
  return definition as unknown as LanguageDefinition;
}
