/** What is kept of the steps of a run whose flow records everything, or that is in a test session. */
import type { StepRecord } from "../../shared/mock.ts";
import type { Exchange } from "./exchange.ts";

export interface RunRecording {
  /** A step begins; returns what its end is told with. */
  entered(exchange: Exchange): number;
  /** A mock answered in place of the step that the exchange is in, or looked on. */
  mocked(exchange: Exchange): void;
  /** `timing`: which of the run's timings is the step's; -1: none, there are too many. */
  left(entry: number, exchange: Exchange, timing: number): void;
  failed(entry: number, exchange: Exchange, timing: number, error: unknown): void;
  readonly steps: readonly StepRecord[];
}
