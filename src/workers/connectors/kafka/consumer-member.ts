/** A member of a group of the newer protocol (KIP-848): the coordinator shares out, and takes back what a member has let go of. */

import { createHash } from "node:crypto";
import { rest } from "../../engine/waiting.ts";
import { byTopic, without } from "./assignors.ts";
import {
  beatLimit,
  fencing,
  type Identity,
  keyOf,
  type Member,
  type MemberParts,
  moving,
  type TopicPartition,
} from "./group.ts";
import { errorName } from "./library.ts";

interface BeatAnswer {
  readonly memberId: string | null;
  readonly memberEpoch: number;
  readonly heartbeatIntervalMs: number;
  readonly assignment: {
    readonly topicPartitions: readonly { readonly topicId: string; readonly partitions: readonly number[] }[];
  } | null;
}

const joining = 0;
const leaving = -1;

export class ConsumerMember implements Member {
  readonly #parts: MemberParts;
  readonly #memberId: string;
  #epoch = joining;
  #owned: readonly TopicPartition[] = [];
  /** What it is letting go of. */
  #leavingGo: readonly TopicPartition[] = [];
  #topics: readonly string[] = [];
  #isJoined = false;
  #wake = new AbortController();

  constructor(parts: MemberParts) {
    this.#parts = parts;
    // Ids of members are UUIDs there.
    const hash = createHash("sha256").update(parts.options.instanceId).digest("hex");
    this.#memberId = [8, 12, 16, 20, 32].map((end, index, ends) => hash.slice(ends[index - 1] ?? 0, end)).join("-");
  }

  get identity(): Identity | undefined {
    const { isGiven, instanceId: given } = this.#parts.options;
    const instanceId = isGiven ? given : null;
    return this.#epoch > 0 ? { memberId: this.#memberId, epoch: this.#epoch, instanceId } : undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { options } = this.#parts;
    let heartbeatMs = options.heartbeatMs;
    let failures = 0;
    let lastBeat = performance.now();
    let lookAt = 0;
    // One that was lost may still have partitions under the same id.
    await this.#beat(leaving).catch(() => {});
    const stop = (): void => this.#wake.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        try {
          if (performance.now() >= lookAt) {
            lookAt = performance.now() + options.refreshMs;
            this.#topics = await options.topics();
            await this.#parts.cluster.metadata(this.#topics, { fresh: true, creates: true });
          }
          const answer = await this.#beat(this.#epoch);
          failures = 0;
          lastBeat = performance.now();
          if (answer.heartbeatIntervalMs > 0) heartbeatMs = answer.heartbeatIntervalMs;
          this.#epoch = answer.memberEpoch;
          if (answer.assignment !== null) await this.#reconcile(answer.assignment.topicPartitions);
        } catch (error) {
          const name = errorName(error);
          if (fencing.has(name)) this.#fenced();
          else if (name === "UNRELEASED_INSTANCE_ID" || !moving.has(name)) failures += 1;
          if (failures > 2 || performance.now() - lastBeat > options.sessionMs) throw error;
          await rest(200, signal);
          continue;
        }
        if (this.#wake.signal.aborted && !signal.aborted) this.#wake = new AbortController();
        else await rest(heartbeatMs, this.#wake.signal);
        if (this.#wake.signal.aborted && !signal.aborted) this.#wake = new AbortController();
      }
    } catch (error) {
      this.#fenced();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
    await this.#beat(leaving).catch(() => {});
    this.#epoch = leaving;
  }

  #fenced(): void {
    this.#epoch = joining;
    this.#isJoined = false;
    this.#parts.listener.lost(this.#owned);
    this.#owned = [];
    this.#leavingGo = [];
  }

  async #reconcile(target: NonNullable<BeatAnswer["assignment"]>["topicPartitions"]): Promise<void> {
    const { cluster, listener } = this.#parts;
    const { topics } = await cluster.metadata(this.#topics);
    const names = new Map([...topics].map(([name, topic]) => [topic?.id, name]));
    const wanted = target.flatMap(({ topicId, partitions }) => {
      const topic = names.get(topicId);
      return topic === undefined ? [] : partitions.map((partition) => ({ topic, partition }));
    });
    const gone = without(without(this.#owned, wanted), this.#leavingGo);
    const added = without(wanted, this.#owned);
    if (gone.length > 0) {
      this.#leavingGo = [...this.#leavingGo, ...gone];
      void listener.revoked(gone).then(() => {
        const keys = new Set(gone.map(keyOf));
        const stays = (one: TopicPartition): boolean => !keys.has(keyOf(one));
        this.#owned = this.#owned.filter(stays);
        this.#leavingGo = this.#leavingGo.filter(stays);
        this.#wake.abort();
      });
    }
    if (added.length === 0 && this.#isJoined) return;
    this.#isJoined = true;
    this.#owned = [...this.#owned, ...added];
    listener.assigned(added);
    // The coordinator gives others what it knows to be taken.
    this.#wake.abort();
  }

  async #beat(epoch: number): Promise<BeatAnswer> {
    const { cluster, options } = this.#parts;
    const isLeaving = epoch === leaving;
    const { topics } = isLeaving ? { topics: new Map() } : await cluster.metadata(this.#topics);
    const owned = isLeaving
      ? []
      : byTopic(this.#owned).map(({ topic, partitions }) => ({ topicId: topics.get(topic)?.id, partitions }));
    const own = [options.groupId, this.#memberId, epoch, options.isGiven ? options.instanceId : null];
    const wants = [options.rebalanceMs, [...this.#topics], null, options.remoteAssignor ?? null, owned];
    return await cluster.askCoordinator<BeatAnswer>(
      options.groupId,
      "ConsumerGroupHeartbeat",
      () => [...own, options.clientRack ?? null, ...wants],
      beatLimit(options),
    );
  }
}
