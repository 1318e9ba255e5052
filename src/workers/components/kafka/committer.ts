/** Commits how far partitions are done: soon after each run, and before they are let go of. */

import type { KafkaClient } from "../../connectors/kafka/client.ts";
import { fencing, type Member } from "../../connectors/kafka/group.ts";
import { after } from "../../engine/waiting.ts";
import type { AssignedPartition, PartitionBounds } from "./assigned-partition.ts";
import type { KafkaOptions } from "./options.ts";

export interface CommitterParts {
  readonly client: KafkaClient;
  readonly member: Pick<Member, "identity">;
  readonly groupId: string;
  /** false: nothing is ever committed. */
  readonly commits: boolean;
  readonly intervalMs: number;
  /** Whether positions of short runs go together. */
  readonly gathers: () => boolean;
  /** The most records of a partition that come again after a loss. */
  readonly most: number;
  readonly timeoutMs: number;
  readonly partitions: () => Iterable<AssignedPartition>;
  /** Called when a broker has confirmed positions: records that have waited for that may be taken. */
  readonly confirmed: () => void;
  /** Called with the first of several failures in a row. It is tried again. */
  readonly failed: (error: unknown) => void;
  /** Called with the last failure of those in a row. */
  readonly gaveUp: (error: unknown) => void;
}

/** The pause before a commit is tried again. */
const retryMs = 200;
const mostAttempts = 3;

/**
 * Positions of short runs go together: those of this time, or as soon as a part of what may come again is done. A broker spends more on a
 * commit than such a run costs.
 */
const gatherMs = 1;
const gatheredPart = 1 / 4;
/**
 * The most records of a partition that come again after a loss, unless the window is larger: those under way, and those that are done and
 * whose position is not confirmed. It is more than what is on its way to a broker that is not slow.
 */
const mostUnconfirmed = 32;

export function boundsOf({ autoCommitIntervalMs, batching, breakOnFirstError, window }: KafkaOptions): PartitionBounds {
  const isTimed = autoCommitIntervalMs > 0;
  // A record that comes again after a failure is run before those behind it.
  const most = batching || breakOnFirstError ? 1 : window;
  return {
    window: most,
    unconfirmedCommits: isTimed ? 2 : Math.max(mostUnconfirmed, most),
    unconfirmedRecords: isTimed || batching ? Number.POSITIVE_INFINITY : Math.max(mostUnconfirmed, most),
  };
}

export class Committer {
  readonly #parts: CommitterParts;
  /** Cancel the next commit, and the next attempt. */
  #timer: (() => void) | undefined;
  #retry: (() => void) | undefined;
  /** How often it has failed in a row. */
  #failures = 0;
  /** The commits that are under way. The broker takes them in the order in which they are sent. */
  readonly #sent = new Set<Promise<void>>();
  /** When the last one was sent, by performance.now(). */
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  /**
   * Something is done. Without an interval that is sent before another run begins, so that a thread that is lost then has sent it. Of what is
   * gathered it is sent when nothing was sent just before, when enough is done, and else a little later.
   */
  soon(): void {
    const { intervalMs, gathers } = this.#parts;
    const waitMs = intervalMs > 0 || !gathers() ? intervalMs : this.#gatherMs();
    if (waitMs <= 0) {
      if (intervalMs <= 0) this.#unset();
      void this.#send();
    } else
      this.#timer ??= after(waitMs, () => {
        this.#timer = undefined;
        void this.#send();
      });
  }

  #gatherMs(): number {
    const { partitions, most } = this.#parts;
    for (const { unsent } of partitions()) if (unsent >= most * gatheredPart) return 0;
    return this.#sentAt + gatherMs - performance.now();
  }

  /** Resolves when all that is done now is committed, or when that has failed. */
  async flush(): Promise<void> {
    this.end();
    void this.#send();
    while (this.#sent.size > 0) await Promise.all(this.#sent);
  }

  end(): void {
    this.#unset();
    this.#retry?.();
    this.#retry = undefined;
  }

  #unset(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  #send(): Promise<void> {
    this.#sentAt = performance.now();
    const work = this.#commit().finally(() => this.#sent.delete(work));
    this.#sent.add(work);
    return work;
  }

  async #commit(): Promise<void> {
    const { client, groupId, member, partitions, commits, timeoutMs } = this.#parts;
    for (let attempt = 1; ; attempt += 1) {
      const done = [...partitions()].flatMap((partition) => {
        const offset = partition.uncommitted;
        return offset === undefined ? [] : [{ partition, offset }];
      });
      const { identity } = member;
      if (!commits || done.length === 0 || identity === undefined) return;
      const sent = done.map(({ partition, offset }) => ({ partition, commit: partition.send(offset) }));
      const positions = done.map(({ partition: { topic, partition }, offset }) => ({ topic, partition, offset }));
      try {
        await client.commit(groupId, identity, positions, { ms: timeoutMs, name: "commitTimeoutMs" });
        this.#failures = 0;
        for (const { partition, commit } of sent) partition.confirm(commit);
        this.#parts.confirmed();
        return;
      } catch (error) {
        for (const { partition, commit } of sent) partition.unsend(commit);
        const name = client.errorName(error);
        // They belong to others: the heartbeat says so, too.
        if (fencing.has(name)) return;
        // Members of the newer protocol have a new number now.
        if (name === "STALE_MEMBER_EPOCH" && attempt < mostAttempts) continue;
        this.#again(error);
        return;
      }
    }
  }

  /** What was under way over one connection fails together, and counts once. */
  #again(error: unknown): void {
    if (this.#retry !== undefined) return;
    this.#failures += 1;
    if (this.#failures === 1) this.#parts.failed(error);
    if (this.#failures >= mostAttempts) {
      this.#parts.gaveUp(error);
      return;
    }
    this.#retry = after(retryMs, () => {
      this.#retry = undefined;
      void this.#send();
    });
  }
}
