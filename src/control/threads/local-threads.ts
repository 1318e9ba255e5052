/** The standby threads of this process. They can boot before the rest of the runtime is loaded, which takes as long as a boot. */
import type { Limits } from "../../shared/limits.ts";
import type { ThreadPlace } from "./booted-thread.ts";
import { WorkerPool } from "./local/worker-pool.ts";
import { StandbyThreads } from "./pool/standby-threads.ts";

export interface LocalThreads {
  /** An Int32Array of one word, bits of `Interest`, which threads read: the events that subscribers of the trace stream need. */
  readonly interest: SharedArrayBuffer;
  readonly plain: StandbyThreads;
  /** Standby threads for flows that call out. */
  readonly networked: StandbyThreads;
}

/** `entry`: the module that threads run; absent: the runtime's own. */
export function localThreads(
  limits: Limits,
  interest = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  entry?: URL,
): LocalThreads {
  const place: ThreadPlace = { pool: (of) => new WorkerPool({ ...of, entry, interest }) };
  return {
    interest,
    plain: new StandbyThreads({ place, limits }),
    networked: new StandbyThreads({ place, limits, network: true }),
  };
}
