/** Data formats of the model as functions, bound to their options. */
import type { FormatModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import { catalog } from "../catalog.ts";
import { compiledAt, type Place } from "../engine/compile-error.ts";
import type { Translate } from "../engine/format.ts";
import type { CompileContext } from "../engine/step.ts";

/** Both throw CompileError `bad_format` for an unknown format, and for one that does not go this way or refuses its options. */
export function formatCompiler(
  limits: Limits,
  { routeId, stepId }: Place,
): Pick<CompileContext, "marshaller" | "unmarshaller"> {
  const bound = (side: "marshal" | "unmarshal", { name, options, at }: FormatModel): Translate =>
    compiledAt({ at, routeId, stepId }, "bad_format", () => {
      const definition = catalog.formats.get(name);
      if (definition === undefined) throw new Error(`unknown data format '${name}'`);
      const translate = definition[side]?.(options, limits);
      if (translate === undefined) throw new Error(`data format '${name}' cannot ${side}`);
      return translate;
    });
  return { marshaller: (format) => bound("marshal", format), unmarshaller: (format) => bound("unmarshal", format) };
}
