/** The steps of an open flow by the names that the runtime and the canvas have for them. */

import { lineMark } from "../editor/session/marks.ts";
import type { SessionState } from "../editor/session/state.ts";
import { lineColumnAt } from "../model/index.ts";

export interface StepKey {
  /** As runs and traces have it: its own, or as the runtime generates it, such as `log1`. */
  readonly stepId: string;
  /** As marks of the canvas have it. */
  readonly mark: string;
  /** Of the item of the session. */
  readonly key: string;
}

/** In the order of the text. */
export function stepKeys({ index, flow }: Pick<SessionState, "index" | "flow">): readonly StepKey[] {
  const steps = [...index.items.values()]
    .filter(({ kind }) => kind === "step")
    .sort((a, b) => a.range.from - b.range.from);
  const counts = new Map<string, number>();
  const generated = (name: string): string => {
    let id: string;
    do {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      id = `${name}${counts.get(name)}`;
    } while (index.byId.has(id));
    return id;
  };
  return steps.map(({ id, key, name, range }) => ({
    stepId: id ?? generated(name),
    mark: id ?? lineMark(lineColumnAt(flow.text, range.from).line),
    key,
  }));
}
