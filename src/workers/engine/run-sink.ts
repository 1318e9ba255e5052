/** What runs report to, while they are under way. */
import type { RouteAction, StepTraceType } from "../../shared/protocol.ts";
import type { Mask } from "../../shared/secret-mask.ts";
import type { ProgressReport } from "./run-observers.ts";

/** Receives the events of runs: the thread's line to control. */
export interface RunSink<Exchange> {
  /** Bits of `Interest`. */
  readonly interest: number;
  /** An index in `levels`. */
  readonly logLevel: number;
  /** false: the flow records only the ends of its runs. */
  readonly recordSteps: boolean;
  /** Removes secrets from everything that the thread sends about its messages; absent: the flow has no secrets. */
  readonly mask?: Mask;
  enter(slot: number): void;
  /** Absent: progress is not published. */
  readonly progress?: ProgressReport;
  /**
   * The slot's run is about to have an effect that a second run would repeat. Absent: lost runs are not begun again.
   */
  touch?(slot: number): void;
  /** An endpoint outside the flow is called. Absent: calls are not counted. */
  calledOut?(): void;
  /** `marker`: "" for none. */
  log(slot: number, step: number, level: number, logger: string, message: string, marker: string): void;
  trace(slot: number, type: StepTraceType, step: number, durationMs: number, extra: string): void;
  /** The flow has handled a failure, and the run continues. Absent: such failures are not recorded. */
  handled?(slot: number, step: number, type: string, message: string, by: string, answer: string): void;
  /** Calls a `direct:` consumer of another flow with the exchange, and copies its reply to it. */
  call(slot: number, name: string, exchange: Exchange): Promise<void>;
  /**
   * Present: the flow's routes can be started and stopped. Resolves with the resulting state of the route (an index in
   * the manifest); rejects when the action is impossible. `delayMs`: for a restart, the time between stop and start.
   */
  route?(slot: number, routeIndex: number, action: RouteAction, delayMs: number): Promise<string>;
}
