/** Evaluates texts of the registered languages on an exchange. */

import { truthy } from "../../../src/workers/engine/convert.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import { languages } from "../../../src/workers/languages/index.ts";

export function languageOf(name: string) {
  const language = languages.find((candidate) => candidate.name === name);
  if (language === undefined) throw new Error(`no language ${name}`);
  return language;
}

export function evaluate(text: string, exchange: Exchange, language = "simple"): unknown {
  return languageOf(language).expression(text, {})(exchange);
}

export function matches(text: string, exchange: Exchange, language = "simple"): boolean {
  const { predicate, expression } = languageOf(language);
  return predicate === undefined ? truthy(expression(text, {})(exchange)) : predicate(text, {})(exchange);
}
