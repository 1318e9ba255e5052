/** What the runtime lists after a start about failed messages whose run a kill has interrupted. */
import type { Server } from "../server.ts";

interface Listed {
  readonly id: string;
  readonly error: { readonly type: string } | null;
}

export class InterruptedRuns {
  /** How often each message was listed: at most once for each start. */
  readonly #times = new Map<string, number>();

  get size(): number {
    return this.#times.size;
  }

  /** Returns how many of the message's runs were listed as interrupted. */
  times(message: string): number {
    return this.#times.get(message) ?? 0;
  }

  /** Call it after a start, before anything is retried. */
  async read({ api }: Server): Promise<void> {
    const listed = (await (await api("/failed?state=waiting&limit=500")).json()) as readonly Listed[];
    for (const { id, error } of listed) {
      if (error?.type !== "RunLostException") continue;
      const { message } = (await (await api(`/failed/${id}`)).json()) as { message: { body: unknown } | null };
      for (const text of [message?.body].flat()) this.#times.set(String(text), this.times(String(text)) + 1);
    }
  }
}
