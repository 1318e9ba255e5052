/** What the runtime lists after a start about failed messages whose run a kill has interrupted. */
import type { Server } from "../server.ts";

interface Listed {
  readonly id: string;
  /** Of the last run. */
  readonly runId: string;
  readonly at: string;
  readonly error: { readonly type: string } | null;
}

/** The most entries of one list. */
const page = 500;

export class InterruptedRuns {
  /** How many runs of each message were listed. */
  readonly #times = new Map<string, number>();
  /** An entry is listed as interrupted until it is retried. */
  readonly #runs = new Set<string>();

  get size(): number {
    return this.#times.size;
  }

  /** Returns how many of the message's runs were listed as interrupted. */
  times(message: string): number {
    return this.#times.get(message) ?? 0;
  }

  /** Call it after a start, before anything is retried. */
  async read(server: Server): Promise<void> {
    for (const { id, runId, error } of await listAll(server)) {
      if (error?.type !== "RunLostException" || this.#runs.has(runId)) continue;
      this.#runs.add(runId);
      const { message } = (await (await server.api(`/failed/${id}`)).json()) as { message: { body: unknown } | null };
      for (const text of [message?.body].flat()) this.#times.set(String(text), this.times(String(text)) + 1);
    }
  }
}

/** Newest first; entries of one moment may stand on two pages. */
async function listAll({ api }: Server): Promise<Iterable<Listed>> {
  const all = new Map<string, Listed>();
  for (let before = ""; ; ) {
    const answer = await api(`/failed?state=waiting&limit=${page}${before}`);
    const listed = (await answer.json()) as readonly Listed[];
    const known = all.size;
    for (const entry of listed) all.set(entry.id, entry);
    if (listed.length < page || all.size === known) return all.values();
    before = `&before=${new Date(Date.parse((listed.at(-1) as Listed).at) + 1).toISOString()}`;
  }
}
