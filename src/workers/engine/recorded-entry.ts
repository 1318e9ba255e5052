/** What a recorded run keeps of a step, and of the endpoints that are called where no mock of a step could stand. */

import type { StepManifest } from "../../shared/manifest.ts";
import type { RecordedError, WireStep } from "../../shared/mock.ts";
import { redact } from "../../shared/redact.ts";
import { camelUri } from "./endpoint-uri.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";

export interface Entry {
  /** Index into the flow's step table. */
  readonly step: number;
  /** The step around it. */
  readonly around: Entry | undefined;
  /** Indexes of kept messages; undefined: left out, or there is none. */
  readonly in: number | undefined;
  out: number | undefined;
  timing: number;
  error: RecordedError | undefined;
  omitted: boolean;
  mocked: boolean;
  callsOut: boolean;
  /** What it has called is kept by itself: a mock in its place could not set the variable. */
  answersVariable: boolean;
  /** Steps have begun inside of it. */
  holdsSteps: boolean;
}

/** A replay puts a mock in its place. What begins steps of the flow has them replaced, unless it calls out beside them. */
export function leaves(
  { step, callsOut, answersVariable, mocked, holdsSteps }: Entry,
  steps: readonly StepManifest[],
): boolean {
  if (answersVariable) return false;
  return callsOut || (!holdsSteps && (mocked || mayLeave(steps[step])));
}

/** The step is replaced, or one around it; of undefined nothing is. */
export function isReplaced(entry: Entry | undefined, steps: readonly StepManifest[]): boolean {
  for (let one = entry; one !== undefined; one = one.around) if (leaves(one, steps)) return true;
  return false;
}

/** A tap is a run of its own, which a replay would not wait for. */
function mayLeave(step: StepManifest | undefined): boolean {
  return step?.outbound === true || step?.type === "wireTap";
}

/** Calls of endpoints that a mock of a step could not stand for: no step has made them, or their answer went into a variable. */
interface EndpointCall {
  readonly within: Entry | undefined;
  shown: WireStep;
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
    const shown: WireStep = { timing: -1, uri: camelUri(uri), outbound: true };
    const call: EndpointCall = { within, shown: received === undefined ? shown : { ...shown, in: received } };
    this.#calls.push(call);
    const done = (): void => {
      const out = this.#keeper.message(exchange);
      if (out !== undefined) call.shown = { ...call.shown, out };
    };
    const failed = (error: unknown): never => {
      call.shown = { ...call.shown, error: this.#keeper.error(error) };
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

  /** The calls that `counts` accepts, by the step that they were made in. */
  steps(counts: (within: Entry | undefined) => boolean): readonly WireStep[] {
    return this.#calls.filter(({ within }) => counts(within)).map(({ shown }) => shown);
  }
}
