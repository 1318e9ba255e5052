/** Commits how far partitions are done: soon after each run, and before they are let go of. */

import type { KafkaClient } from "../../connectors/kafka/client.ts";
import { fencing, type Member } from "../../connectors/kafka/group.ts";
import { after } from "../../engine/waiting.ts";
import type { AssignedPartition } from "./assigned-partition.ts";
import type { KafkaOptions } from "./options.ts";

export interface CommitterParts {
  readonly client: KafkaClient;
  readonly member: Pick<Member, "identity">;
  readonly groupId: string;
  /** false: nothing is ever committed. */
  readonly commits: boolean;
  readonly intervalMs: number;
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
 * How many commits of a partition may be sent without a confirmation. A commit is sent with each run's end, or with each interval,
 * so this bounds what comes again after a loss while the broker is slow. It is more than what is on its way to a broker that is not.
 */
export function mostUnconfirmedOf({ autoCommitIntervalMs }: Pick<KafkaOptions, "autoCommitIntervalMs">): number {
  return autoCommitIntervalMs > 0 ? 2 : 32;
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

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  /** Something is done. Without an interval that is sent before another run begins, so that a thread that is lost then has sent it. */
  soon(): void {
    const { intervalMs } = this.#parts;
    if (intervalMs <= 0) void this.#send();
    else
      this.#timer ??= after(intervalMs, () => {
        this.#timer = undefined;
        void this.#send();
      });
  }

  /** Resolves when all that is done now is committed, or when that has failed. */
  async flush(): Promise<void> {
    this.end();
    void this.#send();
    while (this.#sent.size > 0) await Promise.all(this.#sent);
  }

  end(): void {
    this.#timer?.();
    this.#retry?.();
    this.#timer = undefined;
    this.#retry = undefined;
  }

  #send(): Promise<void> {
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
