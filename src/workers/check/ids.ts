/** Ids of steps and routes: checks their form and uniqueness, and generates missing ones. */
import type { RouteDraft, StepDraft } from "./context.ts";
import type { Report } from "./report.ts";
import type { Where } from "./tree.ts";

/** Step ids appear in traces and mocks, so they may have any characters except control characters. */
export function stepIdProblem(id: string): string | undefined {
  if (id.trim() === "" || id.length > 128) return "a step's id has 1 to 128 characters";
  return /\p{C}/u.test(id) ? "a step's id has no control characters" : undefined;
}

/** Names steps without an id by their type and a number per type (`log1`, `setBody2`), which skips explicit ids. */
export function assignStepIds(steps: readonly StepDraft[], report: Report): void {
  const taken = new Map<string, Where>();
  for (const { model, route, idAt } of steps) {
    if (idAt === undefined) continue;
    const first = taken.get(model.id);
    if (first !== undefined) {
      const message = `the step id '${model.id}' is already taken at ${place(first)}: ids are unique in a flow`;
      report.error("duplicate_step_id", message, idAt, { route, step: model });
    } else taken.set(model.id, idAt);
  }
  const counts = new Map<string, number>();
  for (const { model, route } of steps) {
    if (model.id === "") model.id = nextId(route.nodePrefix, model.type, counts, taken);
  }
}

/** Names `from` endpoints without an id `from1`, `from2`, ... */
export function assignFromIds(routes: readonly RouteDraft[]): void {
  const taken = new Set(routes.map(({ fromId }) => fromId).filter((id) => id !== ""));
  const counts = new Map<string, number>();
  for (const route of routes) if (route.fromId === "") route.fromId = nextId(route.nodePrefix, "from", counts, taken);
}

function nextId(
  prefix: string,
  type: string,
  counts: Map<string, number>,
  taken: { has(id: string): boolean },
): string {
  let id: string;
  let count = counts.get(type) ?? 0;
  do {
    count += 1;
    id = `${prefix}${type}${count}`;
  } while (taken.has(id));
  counts.set(type, count);
  return id;
}

/**
 * Names routes without an id `route1`, `route2`, ... in the order of the document (Camel), and reports duplicate ids.
 */
export function assignRouteIds(routes: readonly RouteDraft[], report: Report): void {
  const taken = new Map<string, Where>();
  for (const route of routes) {
    if (route.id === "" || route.idAt === undefined) continue;
    const folded = route.id.toLowerCase();
    const first = taken.get(folded);
    if (first !== undefined) {
      const message = `the route id '${route.id}' is already taken at ${place(first)} (case does not tell ids apart)`;
      report.error("duplicate_route_id", message, route.idAt, { route });
    } else taken.set(folded, route.idAt);
  }
  const counts = new Map<string, number>();
  for (const route of routes) if (route.id === "") route.id = nextId("", "route", counts, taken);
}

export function place({ at }: Where): string {
  return `line ${at.line}, column ${at.column}`;
}
