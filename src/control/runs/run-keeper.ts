/** Whom a run reports to. */
import type { ChildRuns, HandledFailure } from "../threads/invocation.ts";

export interface RunKeeper<Run> {
  /** It is over. */
  close(run: Run): void;
  /** Its flow has handled a failure, and it goes on. */
  handled(run: Run, failure: HandledFailure): void;
  /** A run that another one has caused did not complete, or did not begin. */
  childFailed(children: ChildRuns): void;
  /** It begins once more, in another thread. */
  restarted(run: Run, why: string): void;
  /** Writes a line to the log. */
  tell(level: "INFO" | "ERROR", run: Run, message: string): void;
}
