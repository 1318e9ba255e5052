/** How an expression language is defined. Its text is interpreted or compiled to closures; it never becomes JavaScript source. */
import type { Limits } from "../../shared/limits.ts";
import type { UseMapping } from "./mappings.ts";
import type { Expression, Predicate } from "./processor.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";

export interface LanguageDefinition<S extends OptionsSchema = OptionsSchema> {
  readonly name: string;
  readonly docs: string;
  /** The language's own options beside `expression`, `resultType`, `trim` and `id`. */
  readonly options: DefineOptions<S>;
  /** The attribute that holds the text where that is not `expression`; blanks around such a text belong to it. */
  readonly text?: string;
  /** An expression text that the reference prints. */
  readonly example: string;
  /** Present: `{{secret:NAME}}` may stand in its texts. */
  readonly secrets?: LanguageSecrets;
  /** Throws ExpressionSyntaxError. */
  expression(text: string, options: OptionsOf<S>, context: LanguageContext): Expression;
  /** Throws ExpressionSyntaxError. Absent: the expression's value decides, by Camel's rule for values as predicates. */
  predicate?(text: string, options: OptionsOf<S>, context: LanguageContext): Predicate;
}

/** How a text with marks (secret-mark.ts) gets the values, which must never be read as a part of the expression. */
export interface LanguageSecrets {
  /** `text`: the values stand in place of the marks; `template`: the language reads them, as parameters that the marks name. */
  readonly place: "text" | "template";
  /** The text as the language reads it. Throws ExpressionSyntaxError for a secret in the wrong place. */
  bind(text: string): string;
}

/** What a language may use of its surroundings while an expression is compiled. */
export interface LanguageContext {
  readonly limits: Limits;
  /** The type that the value is converted to afterwards, when the expression asks for one: some languages evaluate otherwise for it. */
  readonly resultType?: string | undefined;
  /** Another language, for functions such as simple's `${jsonpath(...)}`; undefined when there is none of the name. */
  language(name: string): LanguageDefinition | undefined;
  /** A parameter of the flow, filled as its placeholder would be; undefined when there is none. */
  property(name: string): string | undefined;
  readonly useMapping: UseMapping;
}

export function defineLanguage<S extends OptionsSchema>(definition: LanguageDefinition<S>): LanguageDefinition {
  return definition as unknown as LanguageDefinition;
}
