/** Secrets that a policy names, read when they are needed: a new value applies within seconds, without a restart. */
import type { Secrets } from "../../stores/secrets.ts";

/** A value is read again after this time. */
const keptMs = 5000;

export class SecretValues {
  readonly #secrets: Secrets;
  readonly #flowId: string;
  readonly #clock: () => number;
  readonly #kept = new Map<string, { readonly at: number; readonly value: Promise<string | undefined> }>();

  constructor(secrets: Secrets, flowId: string, clock: () => number) {
    this.#secrets = secrets;
    this.#flowId = flowId;
    this.#clock = clock;
  }

  /** Reads the value; undefined: there is none, or it cannot be read. Simultaneous callers share one read. */
  value(name: string): Promise<string | undefined> {
    const kept = this.#kept.get(name);
    const now = this.#clock();
    if (kept !== undefined && now >= kept.at && now - kept.at < keptMs) return kept.value;
    const value = this.#read(name);
    this.#kept.set(name, { at: now, value });
    return value;
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return await this.#secrets.read(this.#flowId, name);
    } catch {
      return undefined;
    }
  }
}
