/** Commits how far partitions are done: soon after each run, and before they are let go of. */
import type { KafkaClient } from "../../connectors/kafka/client.ts";
import { fencing, type Member } from "../../connectors/kafka/group.ts";
import type { Position } from "../../connectors/kafka/offsets.ts";
import { inTime } from "../../engine/waiting.ts";
import type { AssignedPartition } from "./assigned-partition.ts";

export interface CommitterParts {
  readonly client: KafkaClient;
  readonly member: Pick<Member, "identity">;
  readonly groupId: string;
  /** false: nothing is ever committed. */
  readonly commits: boolean;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly partitions: () => Iterable<AssignedPartition>;
  /** Called when a commit has failed, which is tried again. */
  readonly failed: (error: unknown) => void;
}

/** The pause before a commit is tried again. */
const retryMs = 200;
const mostAttempts = 3;

export class Committer {
  readonly #parts: CommitterParts;
  #timer: NodeJS.Timeout | undefined;
  /** The commits that are under way. The broker takes them in the order in which they are sent. */
  readonly #sent = new Set<Promise<void>>();

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  /** Something is done. Without an interval that is sent before another run begins, so that a thread that is lost then has sent it. */
  soon(): void {
    const { intervalMs } = this.#parts;
    if (intervalMs > 0) this.#later(intervalMs);
    else void this.#send();
  }

  /** Resolves when all that is done now is committed, or when that has failed. */
  async flush(): Promise<void> {
    this.end();
    void this.#send();
    while (this.#sent.size > 0) await Promise.all(this.#sent);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #later(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, ms);
  }

  #send(): Promise<void> {
    const work = this.#commit().finally(() => this.#sent.delete(work));
    this.#sent.add(work);
    return work;
  }

  async #commit(): Promise<void> {
    const { client, groupId, member, partitions, commits, failed } = this.#parts;
    for (let attempt = 1; ; attempt += 1) {
      const done = [...partitions()].flatMap((partition) => {
        const offset = partition.uncommitted;
        return offset === undefined ? [] : [{ partition, offset }];
      });
      const { identity } = member;
      if (!commits || done.length === 0 || identity === undefined) return;
      for (const { partition, offset } of done) partition.sent = offset;
      const positions: Position[] = done.map(({ partition: { topic, partition }, offset }) => ({
        ...{ topic, partition, offset },
      }));
      try {
        await this.#inTime(client.commit(groupId, identity, positions));
        for (const { partition, offset } of done) partition.committed = offset;
        return;
      } catch (error) {
        for (const { partition, offset } of done) if (partition.sent === offset) partition.sent = partition.committed;
        const name = client.errorName(error);
        // They belong to others: the heartbeat says so, too.
        if (fencing.has(name)) return;
        // Members of the newer protocol have a new number now.
        if (name === "STALE_MEMBER_EPOCH" && attempt < mostAttempts) continue;
        failed(error);
        this.#later(retryMs);
        return;
      }
    }
  }

  async #inTime(commit: Promise<void>): Promise<void> {
    const { timeoutMs } = this.#parts;
    const done = await inTime(
      commit.then(() => true),
      timeoutMs,
      new AbortController().signal,
    );
    if (done !== true) throw new Error(`no broker has answered within commitTimeoutMs, ${timeoutMs} ms`);
  }
}
