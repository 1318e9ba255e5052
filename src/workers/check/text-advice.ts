/** Warns of expressions that probably do not make what the step is to set, as their languages find them. */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import type { Catalog } from "../catalog.ts";
import type { StepDraft } from "./context.ts";
import type { Report } from "./report.ts";

/** Steps whose expressions make data of messages, with the option that lists several of them. */
const setting: ReadonlyMap<string, string | undefined> = new Map([
  ["setBody", undefined],
  ["transform", undefined],
  ["setHeader", undefined],
  ["setHeaders", "headers"],
  ["setProperty", undefined],
  ["setVariable", undefined],
  ["setVariables", "variables"],
]);

interface Setting {
  readonly expression?: ExpressionModel;
}

export function warnOfTexts(steps: readonly StepDraft[], { languages }: Catalog, report: Report): void {
  for (const { model, route } of steps) {
    for (const { language, text, at } of expressionsOf(model)) {
      const advice = languages.get(language)?.advice?.(text);
      if (advice === undefined) continue;
      report.warning(advice.code, advice.message, { at, pointer: "" }, { route, step: model });
    }
  }
}

function expressionsOf({ type, options }: StepDraft["model"]): readonly ExpressionModel[] {
  if (!setting.has(type)) return [];
  const list = setting.get(type);
  const settings = list === undefined ? [options] : ((options as Readonly<Record<string, unknown>>)[list] ?? []);
  return (settings as readonly Setting[]).flatMap(({ expression }) => (expression === undefined ? [] : [expression]));
}
