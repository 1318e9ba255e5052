/** Defines expression languages. Texts are interpreted or compiled to closures; they never become JavaScript source. */
import type { Limits } from "../../shared/limits.ts";
import type { UseMapping } from "./mappings.ts";
import type { Expression, Predicate } from "./processor.ts";
import type { UseVariable } from "./shared-variables.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";

export interface LanguageDefinition<S extends OptionsSchema = OptionsSchema> {
  readonly name: string;
  readonly docs: string;
  /** The language's own options, in addition to `expression`, `resultType`, `trim` and `id`. */
  readonly options: DefineOptions<S>;
  /** The attribute of the text if it is not `expression`; blanks around such a text are significant. */
  readonly text?: string;
  /** An expression text that the reference prints. */
  readonly example: string;
  /** Present: `{{secret:NAME}}` may stand in its texts. */
  readonly secrets?: LanguageSecrets;
  /** Returns a warning of a text that probably makes something else than is meant, where it makes a message's data. */
  advice?(text: string): { readonly code: string; readonly message: string } | undefined;
  /** Throws ExpressionSyntaxError. */
  expression(text: string, options: OptionsOf<S>, context: LanguageContext): Expression;
  /** Throws ExpressionSyntaxError. Absent: the expression's value is converted by Camel's rule for predicates. */
  predicate?(text: string, options: OptionsOf<S>, context: LanguageContext): Predicate;
}

/** How a text with marks (secret-mark.ts) gets the values, which must never be parsed as a part of the expression. */
export interface LanguageSecrets {
  /** `text`: values replace the marks; `template`: the language reads the values as parameters that the marks name. */
  readonly place: "text" | "template";
  /** Returns the text for the language. Throws ExpressionSyntaxError for a secret in a wrong place. */
  bind(text: string): string;
}

/** Services for a language while it compiles an expression. */
export interface LanguageContext {
  readonly limits: Limits;
  /** The type that the value is converted to afterwards, if any; some languages evaluate differently for it. */
  readonly resultType?: string | undefined;
  /** The group of the route that the expression stands in, if it has one. */
  readonly routeGroup?: string | undefined;
  /** Returns another language, for functions such as simple's `${jsonpath(...)}`; undefined for an unknown name. */
  language(name: string): LanguageDefinition | undefined;
  /** Returns a parameter of the flow, with placeholders filled; undefined for an unknown one. */
  property(name: string): string | undefined;
  readonly useMapping: UseMapping;
  readonly useVariable: UseVariable;
}

export function defineLanguage<S extends OptionsSchema>(definition: LanguageDefinition<S>): LanguageDefinition {
  return definition as unknown as LanguageDefinition;
}
