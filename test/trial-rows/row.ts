/** A row of the trials: something that is too long for `.ci/run`, with what calls for it. */
export interface TrialRow {
  /** `storm-kills`: the name on the command line, and of its file in test/trials. */
  readonly name: string;
  /** What is tried, for the page. */
  readonly docs: string;
  /** Arguments of npm. */
  readonly command: readonly string[];
  /** Runs the command this many times; absent: once. */
  readonly times?: number;
  /** Patterns of the files that it runs: a change of a file that one of them imports, through whatever, calls for the row. */
  readonly files: readonly string[];
  /** Patterns of files that no import shows: those of a process that it starts, of a thread, or of a page. A change calls for the row. */
  readonly folders?: readonly string[];
  /** A variable of the environment without which the row cannot run; absent: it always can. */
  readonly needs?: string;
}
