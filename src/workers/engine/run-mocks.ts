/** What a run of a test session asks before each step and each endpoint. */
export interface RunMocks<Exchange> {
  /** The step, or what a mock does in its place. `index`: into the flow's step table. */
  step(exchange: Exchange, index: number, step: Act<Exchange>): void | Promise<void>;
  /** The sending to an endpoint, or what a mock does in its place. `uris`: in normal form, and as written. */
  send(exchange: Exchange, uris: readonly string[], send: Act<Exchange>): void | Promise<void>;
}

/** As a Processor does. */
type Act<Exchange> = (exchange: Exchange) => void | Promise<void>;
