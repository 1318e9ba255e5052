/** A member of a group of the older protocol: members join together, one of them shares out, and all let go before the next round. */
import { after, rest } from "../../engine/waiting.ts";
import { byTopic, shareOut } from "./assignors.ts";
import type { AnswerLimit } from "./cluster.ts";
import {
  beatLimit,
  fencing,
  type Identity,
  type Member,
  type MemberParts,
  moving,
  type TopicPartition,
} from "./group.ts";
import {
  decodeConsumerProtocolAssignment,
  decodeConsumerProtocolSubscription,
  encodeConsumerProtocolAssignment,
  encodeConsumerProtocolSubscription,
  errorName,
  inner,
} from "./library.ts";

interface JoinAnswer {
  readonly generationId: number;
  readonly leader: string;
  readonly memberId: string;
  readonly skipAssignment?: boolean;
  readonly members: readonly {
    readonly memberId: string;
    readonly groupInstanceId?: string | null;
    readonly metadata: Buffer;
  }[];
}

/** Why a member has to join again. */
type Reason = "rebalance" | "fenced" | "stopped";

export class ClassicMember implements Member {
  readonly #parts: MemberParts;
  #memberId = "";
  #generation = -1;
  #owned: readonly TopicPartition[] = [];
  /** What the topics looked like when it joined. */
  #seen = "";
  #lastBeat = 0;

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  get identity(): Identity | undefined {
    if (this.#generation < 0) return undefined;
    return { memberId: this.#memberId, epoch: this.#generation, instanceId: this.#parts.options.instanceId };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { listener } = this.#parts;
    try {
      while (!signal.aborted) {
        await this.#join(signal);
        if (signal.aborted) break;
        listener.assigned(this.#owned);
        let reason = await this.#beat(signal, undefined);
        if (reason === "rebalance") reason = await this.#letGo();
        if (reason === "fenced") this.#fenced();
      }
    } catch (error) {
      this.#fenced();
      throw error;
    }
    await this.#leave();
  }

  #fenced(): void {
    this.#generation = -1;
    this.#parts.listener.lost(this.#owned);
    this.#owned = [];
  }

  /** Ends what is under way, with heartbeats meanwhile. */
  async #letGo(): Promise<Reason> {
    const { listener, options } = this.#parts;
    const over = new AbortController();
    const late = after(options.rebalanceMs, () => over.abort());
    const released = listener.revoked(this.#owned).finally(() => over.abort());
    const reason = await this.#beat(over.signal, "rebalance");
    late();
    if (reason === "fenced") return reason;
    const inTime = await Promise.race([released.then(() => true), Promise.resolve().then(() => false)]);
    if (!inTime) listener.lost(this.#owned);
    this.#owned = [];
    return "rebalance";
  }

  /** Sends heartbeats until one is answered with a reason to join again, but for `expected`. */
  async #beat(signal: AbortSignal, expected: Reason | undefined): Promise<Reason> {
    const { options } = this.#parts;
    let failures = 0;
    let lookAt = performance.now() + options.refreshMs;
    for (;;) {
      await rest(failures === 0 ? options.heartbeatMs : Math.min(200, options.heartbeatMs), signal);
      if (signal.aborted) return "stopped";
      try {
        const own = [options.groupId, this.#generation, this.#memberId, options.instanceId];
        await this.#ask("Heartbeat", own, beatLimit(options));
        failures = 0;
        this.#lastBeat = performance.now();
      } catch (error) {
        const name = errorName(error);
        if (fencing.has(name)) return this.#reset(name);
        if (name === "REBALANCE_IN_PROGRESS") {
          if (expected === "rebalance") continue;
          return "rebalance";
        }
        failures += 1;
        const isOver = performance.now() - this.#lastBeat > options.sessionMs;
        if (isOver || (failures > 2 && !moving.has(name))) throw error;
      }
      if (expected === undefined && performance.now() > lookAt) {
        lookAt = performance.now() + options.refreshMs;
        if ((await this.#look(true)).seen !== this.#seen) return "rebalance";
      }
    }
  }

  #reset(name: string | undefined): Reason {
    if (name === "FENCED_INSTANCE_ID") throw new Error("another consumer has the same groupInstanceId");
    if (name === "UNKNOWN_MEMBER_ID") this.#memberId = "";
    return "fenced";
  }

  async #look(
    fresh: boolean,
  ): Promise<{ readonly topics: readonly string[]; readonly counts: Map<string, number>; readonly seen: string }> {
    const topics = await this.#parts.options.topics();
    const metadata = await this.#parts.cluster.metadata(topics, { fresh, creates: true });
    const counts = new Map(topics.map((topic) => [topic, metadata.topics.get(topic)?.partitionsCount ?? 0]));
    return { topics, counts, seen: JSON.stringify([...counts]) };
  }

  async #join(signal: AbortSignal): Promise<void> {
    const { options } = this.#parts;
    while (!signal.aborted) {
      const { topics, seen } = await this.#look(true);
      this.#seen = seen;
      const metadata = encodeConsumerProtocolSubscription({ version: 1, topics: [...topics] });
      const protocols = [{ name: options.assignor, metadata }];
      try {
        const joined = await this.#ask<JoinAnswer>("JoinGroup", [
          ...[options.groupId, options.sessionMs, options.rebalanceMs, this.#memberId],
          ...[options.instanceId, "consumer", protocols, null],
        ]);
        this.#memberId = joined.memberId;
        this.#generation = joined.generationId;
        const isLeader = joined.leader === joined.memberId && joined.skipAssignment !== true;
        const shares = isLeader ? await this.#share(joined) : [];
        const synced = await this.#ask<{ readonly assignment: Buffer }>("SyncGroup", [
          ...[options.groupId, this.#generation, this.#memberId, options.instanceId],
          ...["consumer", options.assignor, shares],
        ]);
        const { assignedPartitions } =
          synced.assignment.length === 0
            ? { assignedPartitions: [] }
            : decodeConsumerProtocolAssignment(synced.assignment);
        this.#owned = assignedPartitions.flatMap(({ topic, partitions }) =>
          partitions.map((partition) => ({ topic, partition })),
        );
        this.#lastBeat = performance.now();
        return;
      } catch (error) {
        await this.#joinsAgain(error, signal);
      }
    }
  }

  /** Throws what does not pass by joining again. */
  async #joinsAgain(error: unknown, signal: AbortSignal): Promise<void> {
    const name = errorName(error);
    this.#generation = -1;
    if (name === "MEMBER_ID_REQUIRED") this.#memberId = memberIdOf(error);
    else if (name === "UNKNOWN_MEMBER_ID") this.#memberId = "";
    else if (name === "REBALANCE_IN_PROGRESS" || name === "ILLEGAL_GENERATION") await rest(50, signal);
    else if (moving.has(name)) await rest(200, signal);
    else throw error;
  }

  async #share({ members }: JoinAnswer): Promise<readonly { memberId: string; assignment: Buffer }[]> {
    const subscribers = members.map(({ memberId, groupInstanceId = null, metadata }) => ({
      ...{ memberId, instanceId: groupInstanceId },
      topics: decodeConsumerProtocolSubscription(metadata).topics,
    }));
    const topics = [...new Set(subscribers.flatMap((one) => one.topics))];
    const known = await this.#parts.cluster.metadata(topics, { fresh: true });
    const counts = new Map(topics.map((topic) => [topic, known.topics.get(topic)?.partitionsCount ?? 0]));
    const shares = shareOut(this.#parts.options.assignor, subscribers, counts);
    return [...shares].map(([memberId, partitions]) => ({
      memberId,
      assignment: encodeConsumerProtocolAssignment({ version: 0, assignedPartitions: byTopic(partitions) }),
    }));
  }

  /** The group shares out its partitions at once. What goes wrong then ends with the session's time. */
  async #leave(): Promise<void> {
    const { options } = this.#parts;
    if (this.#memberId === "") return;
    const leaving = { memberId: this.#memberId, groupInstanceId: options.instanceId, reason: null };
    this.#generation = -1;
    await this.#ask("LeaveGroup", [options.groupId, [leaving]], beatLimit(options)).catch(() => {});
  }

  /** `limit`: absent for requests in which members wait for each other. */
  #ask<Answer>(name: string, parameters: unknown[], limit?: AnswerLimit): Promise<Answer> {
    return this.#parts.cluster.askCoordinator<Answer>(this.#parts.options.groupId, name, () => parameters, limit);
  }
}

function memberIdOf(error: unknown): string {
  const found = inner(error).find((one) => typeof (one as { memberId?: unknown }).memberId === "string");
  return (found as { readonly memberId: string } | undefined)?.memberId ?? "";
}
