/** Evaluates texts of the registered languages on an exchange. */

import { defaultLimits } from "../../../src/shared/limits.ts";
import { truthy } from "../../../src/workers/engine/convert.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import type { LanguageContext, LanguageDefinition } from "../../../src/workers/engine/language.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import type { Expression, Predicate } from "../../../src/workers/engine/processor.ts";
import { languages } from "../../../src/workers/languages/index.ts";

/** The flow around the expression: its parameters and the languages there are. */
export function surroundings(
  params: Readonly<Record<string, string>> = {},
  others: readonly LanguageDefinition[] = languages,
): LanguageContext {
  return {
    limits: defaultLimits,
    language: (name) => others.find((language) => language.name === name),
    property: (name) => (Object.hasOwn(params, name) ? params[name] : undefined),
    useMapping() {},
    useVariable() {},
  };
}

export function languageOf(name: string): LanguageDefinition {
  const language = languages.find((candidate) => candidate.name === name);
  if (language === undefined) throw new Error(`no language ${name}`);
  return language;
}

/** Loads what the languages need, so that their texts compile from then on. */
export async function loadLanguages(): Promise<void> {
  for (const { name, example } of languages) await withModules(() => compileText(example, name));
}

export function compileText(text: string, language = "simple", context = surroundings()): Expression {
  return languageOf(language).expression(text, {}, context);
}

export function compileCondition(text: string, language = "simple", context = surroundings()): Predicate {
  const { predicate } = languageOf(language);
  if (predicate !== undefined) return predicate(text, {}, context);
  const value = compileText(text, language, context);
  return (exchange) => truthy(value(exchange));
}

export function evaluate(text: string, exchange: Exchange, language = "simple"): unknown {
  return compileText(text, language)(exchange);
}

export function matches(text: string, exchange: Exchange, language = "simple"): boolean {
  return compileCondition(text, language)(exchange);
}
