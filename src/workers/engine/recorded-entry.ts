/** Records of the steps of a run, and of calls of endpoints that no mock of a step could replace. */

import type { StepManifest } from "../../shared/manifest.ts";
import type { RecordedError, WireStep } from "../../shared/mock.ts";
import { redact } from "../../shared/redact.ts";
import { camelUri } from "./endpoint-uri.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";

export interface Entry {
  /** The index in the flow's step table. */
  readonly step: number;
  /** The enclosing step. */
  readonly around: Entry | undefined;
  /** Indexes of kept messages; undefined: left out, or there was none. */
  readonly in: number | undefined;
  out: number | undefined;
  /** The body that it began with; released at its end. */
  body: unknown;
  sameBody: boolean;
  timing: number;
  error: RecordedError | undefined;
  omitted: boolean;
  mocked: boolean;
  callsOut: boolean;
  /** true: its calls are recorded separately, because a mock of the step could not set the variable. */
  answersVariable: boolean;
  /** true: steps have begun inside it. */
  holdsSteps: boolean;
}

/**
 * Whether a replay replaces the step by a mock. For a step that contains steps, those are replaced, unless it also
 * calls out itself.
 */
export function leaves(
  { step, callsOut, answersVariable, mocked, holdsSteps }: Entry,
  steps: readonly StepManifest[],
): boolean {
  if (answersVariable) return false;
  return callsOut || (!holdsSteps && (mocked || mayLeave(steps[step])));
}

/** Whether the step or an enclosing one is replaced; false for undefined. */
export function isReplaced(entry: Entry | undefined, steps: readonly StepManifest[]): boolean {
  for (let one = entry; one !== undefined; one = one.around) if (leaves(one, steps)) return true;
  return false;
}

/** A wireTap starts a run of its own, which a replay would not wait for. */
function mayLeave(step: StepManifest | undefined): boolean {
  return step?.outbound === true || step?.type === "wireTap";
}

/**
 * Records calls of endpoints that a mock of a step could not replace: no step made them, or their answer went into a
 * variable.
 */
interface EndpointCall {
  readonly within: Entry | undefined;
  shown: WireStep;
}

/** Stores messages and errors for the run. */
export interface Keeper {
  message(exchange: Exchange): number | undefined;
  error(thrown: unknown): RecordedError;
}

/** The longest pattern of a mock. */
const longestUri = 2000;
const most = 100;

export class EndpointCalls {
  readonly #run: Run<Exchange>;
  readonly #keeper: Keeper;
  readonly #calls: EndpointCall[] = [];
  /** true: some calls have no record, because no mock could name them or there were too many. */
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

  /** Returns the records of the calls whose step `counts` accepts. */
  steps(counts: (within: Entry | undefined) => boolean): readonly WireStep[] {
    return this.#calls.filter(({ within }) => counts(within)).map(({ shown }) => shown);
  }
}
