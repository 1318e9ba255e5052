/** What the storm of the state store is made of: flows, those who send to them, and a book of what must have become of it. */
import type { Server } from "../server.ts";

export interface StormPart {
  readonly flowId: string;
  /** Routes and beans of its flow, which other parts may share; each version is another revision. */
  yaml(version: number): string;
  /** Resolves when all senders have been cut off. */
  storm(server: Server): Promise<void>;
  /** Resolves with the next message that is acknowledged. */
  answered?(): Promise<void>;
  /** Called after each start, before the next storm: what the runtime says about what the kill has interrupted. */
  started?(server: Server): Promise<void>;
  /** After the last kill: sends and retries what is open. Resolves when nothing is under way. */
  finish(server: Server): Promise<void>;
  /** Rows of the table, and what contradicts the promises. */
  figures(kills: number): Promise<PartFigures>;
}

/** The flow of most parts: one thread to boot after each kill. */
export const sharedFlow = "shop.orders";

export interface PartFigures {
  readonly rows: readonly (readonly [what: string, measured: number, bar: number | ""])[];
  readonly problems: readonly string[];
}

/** Counts how often each text is in a list. */
export function counted(texts: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
