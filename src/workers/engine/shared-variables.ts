/**
 * Variables that all runs of a flow share: `global:name` and `route:id:name` (Camel: GlobalVariableRepository,
 * RouteVariableRepository). They are in the memory of the flow's thread, of which such a flow has one, until the flow is
 * replaced or stopped.
 */
import type { Limits } from "../../shared/limits.ts";
import { fixedCopy } from "./in-place.ts";
import { NamedValues } from "./named-values.ts";

/** Declares, while the flow is compiled, that it uses the variable. Throws for a shared one that comes too late. */
export type UseVariable = (name: string) => void;

const shared = /^(?:global|route):/;

/** Whether the name is of a variable that runs share; a template is, if its beginning is fixed. */
export function isShared(name: string): boolean {
  return shared.test(name);
}

/** Returns the name with the id of the present route, which `route:name` leaves out. */
export function fullName(name: string, routeId: string): string {
  const route = "route:";
  return name.startsWith(route) && !name.includes(":", route.length) ? `${route}${routeId}:${name.slice(6)}` : name;
}

export class SharedVariables {
  readonly #values: NamedValues;

  constructor(limits: Limits) {
    this.#values = new NamedValues("shared variables", limits, "a flow");
  }

  /** By full names, as all methods. */
  get(name: string): unknown {
    return this.#values.get(name);
  }

  /** Throws LimitExceededException. */
  set(name: string, value: unknown): void {
    this.#values.set(name, fixedCopy(value));
  }

  delete(name: string): void {
    this.#values.delete(name);
  }

  entries(): IterableIterator<[string, unknown]> {
    return this.#values.entries();
  }
}
