/** The process that a thread was in has ended, and the thread with it. */

export class HostEnded extends Error {
  readonly #suspects: ReadonlySet<number>;

  /** `suspects`: the threads of which one may have ended it, by number; of the others it is known that they have not. */
  constructor(message: string, suspects: ReadonlySet<number>) {
    super(message);
    this.name = "HostEnded";
    this.#suspects = suspects;
  }

  blames(thread: number): boolean {
    return this.#suspects.has(thread);
  }
}

interface End {
  readonly pid: number;
  /** Its signal or exit code. */
  readonly how: string;
  /** Resident, when it was last looked at; 0: it never was. */
  readonly memoryBytes: number;
  /** Why it was killed, where it was. */
  readonly why: string | undefined;
  /** The last line that it printed; empty: none. */
  readonly last: string;
}

/** A sentence for the log and for the records of the runs that were lost with it. */
export function describeEnd({ pid, how, memoryBytes, why, last }: End): string {
  const memory = memoryBytes === 0 ? "" : `, ${Math.round(memoryBytes / 2 ** 20)} MiB when it was last looked at`;
  const reason = why === undefined ? "" : `: ${why}`;
  return `process ${pid} ended with ${how}${memory}${reason}${last === "" ? "" : `; it printed: ${last}`}`;
}
