/**
 * Declares the connection of an endpoint that a message completes (`toD: spring-rabbitmq:orders?routingKey=${body}`), when its
 * text names the connection, or none: control must know all connections of a flow before its messages come.
 */
import { catalog } from "../catalog.ts";
import { connectionOption } from "../engine/connection-option.ts";
import { NotLoaded } from "../engine/late-module.ts";
import type { DynamicOptions } from "../engine/step.ts";
import type { FlowParts } from "./flow-parts.ts";

/** `schemes`: those that the text names. */
export function declareConnections(
  stepIndex: number,
  parts: FlowParts,
  { from }: DynamicOptions,
  schemes: readonly string[],
): void {
  const step = parts.steps[stepIndex];
  if (from === undefined || step === undefined) return;
  for (const scheme of schemes) {
    const connects = catalog.components.get(scheme)?.connects;
    if (connects === undefined) continue;
    const { kinds, option, unless, path: role, marked = false, optional = false, defaults = [] } = connects;
    if (unless.some((other) => optionOf(from.text, other) !== undefined)) continue;
    const path = pathOf(from.text, scheme);
    const named = optionOf(from.text, "connection");
    const [, reference] = named === undefined ? [] : connectionOption({ connects }, "connection", named);
    const written = optionOf(from.text, option) ?? reference ?? (role === "name" && path !== "" ? path : undefined);
    if (written === undefined && (optional || (role === "server" && path !== ""))) continue;
    if (written !== undefined && (/[$](?:simple)?\{/.test(written) || (marked && !written.startsWith("#")))) continue;
    const used = written !== undefined && defaults.includes(written) ? undefined : written;
    try {
      parts.useConnection({ kinds, option, reference: used }, step.routeId, step.id);
    } catch (error) {
      // What is wrong fails each message, as with every URI that a message completes.
      if (error instanceof NotLoaded) throw error;
    }
  }
}

/** What is behind the scheme, in the first URI of a text that has it. */
function pathOf(uri: string, scheme: string): string {
  const found = uri.split(",").find((part) => part.trim().startsWith(`${scheme}:`)) ?? "";
  return (
    found
      .trim()
      .slice(scheme.length + 1)
      .split("?")[0] ?? ""
  ).replace(/^\/\//, "");
}

/** The value of an option in a URI's query, as written. */
function optionOf(uri: string, option: string): string | undefined {
  const found = uri.split(/[?&]/).find((part) => part.startsWith(`${option}=`));
  return found?.slice(option.length + 1);
}
