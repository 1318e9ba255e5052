/** What the text of an endpoint says that a message completes: warnings and refusals that need no message. */
import { parseDuration } from "../../shared/duration.ts";
import { catalog } from "../catalog.ts";
import { boundedOption } from "../engine/bounded-option.ts";
import { compiledAt, type ModelPlace } from "../engine/compile-error.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import type { DynamicOptions } from "../engine/step.ts";
import type { FlowParts } from "./flow-parts.ts";

/** The scheme that a text begins with. */
export const literalScheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*)(?:[:?]|\s*$)/;

/** Warns of paths that mean something else than they look like, and of data of messages in one that is a text of another language. */
export function warnOfPaths(stepIndex: number, parts: FlowParts, options: DynamicOptions): void {
  for (const { text, component, place } of written(stepIndex, parts, options)) {
    const { path: option = "", dataInPath, pathAdvice } = component;
    if (dataInPath === undefined && pathAdvice === undefined) continue;
    const path = writtenPath(text, option);
    const advice = pathAdvice?.(path, parts.flowId);
    if (advice !== undefined) parts.warn(advice.code, advice.message, place);
    if (dataInPath === undefined || options.from?.language !== "simple" || !/[$](?:simple)?\{/.test(path)) continue;
    parts.warn("data_in_path", dataInPath(path), place);
  }
}

/** Throws CompileError for an option without expressions that is beyond its limit: no message could complete such a URI. */
export function refuseUnbounded(stepIndex: number, parts: FlowParts, options: DynamicOptions): void {
  for (const { text, component, place } of written(stepIndex, parts, options)) {
    for (const [option, limit] of Object.entries(component.bounds ?? {})) {
      const value = parseDuration(writtenOption(text, option));
      if (value === undefined) continue;
      compiledAt(place, "bad_endpoint", () => boundedOption(option, value, limit, parts.limits));
    }
  }
}

interface Written {
  readonly text: string;
  readonly component: ComponentDefinition;
  readonly place: ModelPlace;
}

/** The endpoints whose text begins with a scheme. */
function written(stepIndex: number, parts: FlowParts, { from, several }: DynamicOptions): readonly Written[] {
  const step = parts.steps[stepIndex];
  if (from === undefined || step === undefined || !/^(?:simple|constant)$/.test(from.language)) return [];
  const place = { at: from.at ?? step.at, routeId: step.routeId, stepId: step.id };
  return (several === true ? from.text.split(",") : [from.text]).flatMap((text) => {
    const component = catalog.components.get(literalScheme.exec(text)?.[1] ?? "");
    return component === undefined ? [] : [{ text, component, place }];
  });
}

/** Where the query of a URI begins in which expressions may stand; its length without one. */
function queryStart(uri: string): number {
  let depth = 0;
  for (let at = 0; at < uri.length; at++) {
    if (uri[at] === "{") depth += 1;
    else if (uri[at] === "}") depth -= 1;
    else if (uri[at] === "?" && depth <= 0) return at;
  }
  return uri.length;
}

/** An option of such a URI, as it is written; "" without one. */
function writtenOption(uri: string, option: string): string {
  const parts = uri.slice(queryStart(uri) + 1).split("&");
  return parts.find((part) => part.startsWith(`${option}=`))?.slice(option.length + 1) ?? "";
}

/** The path of such a URI, or the option that stands for it. */
function writtenPath(uri: string, option: string): string {
  const path = uri.slice(0, queryStart(uri)).replace(/^\s*[^:]*:?(?:\/\/)?/, "");
  return path.trim() === "" ? writtenOption(uri, option) : path;
}
