/** One protection of the runtime, how it is taken out of the code, and the tests that must notice. */
export interface Guard {
  /** What it protects from, in a few words. */
  readonly name: string;
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly from: string;
  /** What stands there without the guard. */
  readonly to: string;
  /** Test files of which at least one test must fail then. */
  readonly suite: readonly string[];
}
