/** The repositories of the state store that a flow declares. */
import { type StateUse, stateNameProblem } from "../../shared/state.ts";
import type { StateNeed } from "../engine/flow-state.ts";

export class Repositories {
  readonly #uses = new Map<string, StateUse>();
  #sealed = false;

  /** In the order of their declarations; undefined: there is none. */
  get uses(): readonly StateUse[] | undefined {
    return this.#uses.size === 0 ? undefined : [...this.#uses.values()];
  }

  /** From now on control has the list: no name may be added. */
  seal(): void {
    this.#sealed = true;
  }

  /**
   * Declares a repository; several steps may share one. Throws for a name that is none, that is another kind's, or that is
   * new when the flow is compiled.
   */
  declare(need: StateNeed, routeId: string, stepId: string): void {
    const { name, kind } = need;
    const problem = stateNameProblem(name);
    if (problem !== undefined)
      throw new Error(`'${name.slice(0, 100)}' names a repository of the state store: ${problem}`);
    const present = this.#uses.get(name);
    if (present === undefined && this.#sealed) {
      throw new Error(`the flow's text declares no repository '${name}': write the endpoint or the step into it`);
    }
    if (present !== undefined && present.kind !== kind) {
      throw new Error(
        `'${name}' is the name of a repository of this flow already, of the kind ${present.kind}: choose another one`,
      );
    }
    if (present !== undefined && kind === "aggregation" && present.stepId !== stepId) {
      throw new Error(
        `the step '${present.stepId}' keeps its groups as '${name}' already: give each step its own name`,
      );
    }
    if (present === undefined) this.#uses.set(name, { ...need, routeId, stepId });
  }
}
