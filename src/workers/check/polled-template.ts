/** The address of a poll as one text, when it depends on the message. */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import { type Context, type Converted, type EndpointSource, failed } from "./context.ts";
import type { Entry, ScalarNode } from "./tree.ts";

/** `${file:...}` belongs to the endpoint, so it makes no template (Camel: the language simple-no-file). */
const templateStart = /\$\{(?!file:)|\$simple\{/;

/** Returns undefined for an endpoint that is not polled, or that does not depend on the message. */
export function polledTemplate(
  { uri, parameters, role, label }: EndpointSource,
  context: Context,
): Converted<ExpressionModel> | undefined {
  if (role !== "poller" || uri?.kind !== "scalar") return undefined;
  const entries = parameters?.kind === "map" ? parameters.entries : [];
  const texts = [["uri", uri] as const, ...entries.flatMap(textOf)];
  // Each text is tried alone, so that a fault has its place.
  const templates = texts
    .filter(([, { text }]) => templateStart.test(text ?? ""))
    .map(([name, node]) => context.build.template(node, `'${name}' of ${label}`, context));
  if (templates.length === 0) return undefined;
  if (templates.includes(failed)) return failed;
  if (entries.length === 0) return templates[0];
  const query = entries.map(({ key, value }) => `${key}=${value.kind === "scalar" ? (value.text ?? "") : ""}`);
  const text = `${uri.text}${uri.text?.includes("?") === true ? "&" : "?"}${query.join("&")}`;
  return context.build.template({ ...uri, text, layout: { kind: "folded" } }, `'uri' of ${label}`, context);
}

function textOf({ key, value }: Entry): readonly (readonly [name: string, node: ScalarNode])[] {
  return value.kind === "scalar" ? [[key, value]] : [];
}
