/** What is kept of the steps of a run whose flow records everything, or that is in a test session. */
import type { WireSteps } from "../../shared/mock.ts";

export interface RunRecording<Exchange> {
  /** A step begins, an index into the flow's step table; returns what its end is told with. The exchange is still in the step around it. */
  entered(exchange: Exchange, step: number): number;
  /** A mock answered in place of the step that the exchange is in, or looked on. */
  mocked(exchange: Exchange): void;
  /** Calls something outside of the flow. `uri`: in normal form; `step`: the one that does it, -1 when none does. */
  callOut(
    exchange: Exchange,
    uri: string,
    step: number,
    send: (exchange: Exchange) => void | Promise<void>,
  ): void | Promise<void>;
  /** `timing`: which of the run's timings is the step's; -1: none, there are too many. */
  left(entry: number, exchange: Exchange, timing: number): void;
  failed(entry: number, exchange: Exchange, timing: number, error: unknown): void;
  /** The run begins with this message, and ends with it. */
  began(exchange: Exchange): void;
  ended(exchange: Exchange, error: unknown): void;
  readonly steps: WireSteps;
}
