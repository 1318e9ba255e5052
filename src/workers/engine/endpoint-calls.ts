/** Calls of endpoints that a mock of a step could not stand for: no step has made them, or their answer went into a variable. */
import type { RecordedError, WireStep } from "../../shared/mock.ts";
import { redact } from "../../shared/redact.ts";
import { camelUri } from "./endpoint-uri.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Entry } from "./recorded-entry.ts";
import type { Run } from "./run.ts";

interface EndpointCall {
  readonly within: Entry | undefined;
  told: WireStep;
}

/** What keeps messages and errors for the run. */
export interface Keeper {
  message(exchange: Exchange): number | undefined;
  error(thrown: unknown): RecordedError;
}

/** As long as the pattern of a mock may be. */
const longestUri = 2000;
const most = 100;

export class EndpointCalls {
  readonly #run: Run<Exchange>;
  readonly #keeper: Keeper;
  readonly #calls: EndpointCall[] = [];
  /** There were calls that no mock could be named for, or too many. */
  missing = false;

  constructor(run: Run<Exchange>, keeper: Keeper) {
    this.#run = run;
    this.#keeper = keeper;
  }

  /** `within`: the step that the exchange is in. */
  call(exchange: Exchange, uri: string, within: Entry | undefined, send: Processor): void | Promise<void> {
    if (this.#calls.length === most || uri.length > longestUri || redact(this.#run.mask(uri)) !== uri) {
      this.missing = true;
      return send(exchange);
    }
    const received = this.#keeper.message(exchange);
    const told: WireStep = { timing: -1, uri: camelUri(uri), outbound: true };
    const call: EndpointCall = { within, told: received === undefined ? told : { ...told, in: received } };
    this.#calls.push(call);
    const done = (): void => {
      const out = this.#keeper.message(exchange);
      if (out !== undefined) call.told = { ...call.told, out };
    };
    const failed = (error: unknown): never => {
      call.told = { ...call.told, error: this.#keeper.error(error) };
      throw error;
    };
    let pending: void | Promise<void>;
    try {
      pending = send(exchange);
    } catch (error) {
      return failed(error);
    }
    if (pending !== undefined) return pending.then(done, failed);
    done();
  }

  /** Those of which `counts` says so by the step that they were made in. */
  told(counts: (within: Entry | undefined) => boolean): readonly WireStep[] {
    return this.#calls.filter(({ within }) => counts(within)).map(({ told }) => told);
  }
}
