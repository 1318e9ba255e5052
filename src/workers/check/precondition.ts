/** Decides whether a route is built, by its `precondition`, a `simple` predicate without a message (Camel). */
import { hasSecret } from "../../shared/secret-mark.ts";
import { blankExchange } from "../engine/blank-exchange.ts";
import { ExpressionSyntaxError, exceptionMessage } from "../engine/exception.ts";
import { NotLoaded } from "../engine/late-module.ts";
import type { Context } from "./context.ts";
import { describeNode, entryOf, type MapNode, placeInside } from "./tree.ts";

/** Returns false for a route to leave out. A `{{?name}}` without a value is false. */
export function preconditionHolds(route: MapNode, { definitions, report, scope, surroundings }: Context): boolean {
  if (route.dropped.includes("precondition")) return false;
  const value = entryOf(route, "precondition")?.value;
  if (value === undefined || (value.kind === "scalar" && value.text === null)) return true;
  const text = value.kind === "scalar" ? value.text?.trim() : undefined;
  if (text === undefined) {
    report.error(
      "wrong_type",
      `'precondition' is true, false or a simple predicate; found ${describeNode(value)}`,
      value,
      scope,
    );
    return true;
  }
  if (hasSecret(text)) {
    report.error("secret_here", "'precondition' is decided by the check, which knows no secrets", value, scope);
    return true;
  }
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const simple = definitions.catalog.languages.get("simple");
  try {
    return simple?.predicate?.(text, {}, surroundings)(blankExchange(surroundings.limits)) ?? false;
  } catch (error) {
    if (error instanceof NotLoaded) throw error;
    const where =
      error instanceof ExpressionSyntaxError && value.kind === "scalar" ? placeInside(value, error.index) : value;
    report.error("expression_syntax", `precondition: ${exceptionMessage(error)}`, where, scope);
    return true;
  }
}
