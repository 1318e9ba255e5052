/** What the canvas draws on nodes beside what is written: counts of a live view, the outcome of a run, mocks of a test. */
export interface NodeMark {
  readonly state?: "ok" | "failed" | "running" | "skipped";
  readonly badges: readonly Badge[];
}

export interface Badge {
  readonly text: string;
  readonly tone: "plain" | "good" | "warn" | "bad";
  /** The text in a sentence, for screen readers and as a tooltip. */
  readonly title: string;
}

/**
 * Marks by the id of the step, the trigger or the branch; by `line:7` for one that has no id and begins on line 7 of the
 * text. Whoever sets them clears them when it closes.
 */
export type NodeMarks = ReadonlyMap<string, NodeMark>;

export const noMarks: NodeMarks = new Map();

/** The name under which a part without an id is marked. */
export function lineMark(line: number): string {
  return `line:${line}`;
}
