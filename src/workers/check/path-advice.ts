/** Warns of paths of endpoints that mean something else than they look like, as their components find them. */
import type { Catalog } from "../catalog.ts";
import type { FoundEndpoint } from "./context.ts";
import type { Report } from "./report.ts";

export function warnOfPaths(
  flowId: string,
  endpoints: readonly FoundEndpoint[],
  { components }: Catalog,
  report: Report,
): void {
  for (const { model, uri, scope } of endpoints) {
    const { path = "", pathAdvice } = components.get(model.scheme) ?? {};
    const value = model.options[path];
    const advice = typeof value === "string" ? pathAdvice?.(value, flowId) : undefined;
    if (advice !== undefined) report.warning(advice.code, advice.message, uri, scope);
  }
}
