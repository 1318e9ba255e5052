/** Membership of a consumer group: which partitions a consumer has, and until when. Both protocols of groups have it in common. */
import type { AnswerLimit, Cluster } from "./cluster.ts";

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface GroupOptions {
  readonly groupId: string;
  /** The same for a consumer that comes again after its thread was lost: it gets back what it had, at once. */
  readonly instanceId: string;
  /** true: the flow has given the id, so that members of other programs may know it. */
  readonly isGiven: boolean;
  /** Without a heartbeat for so long a member is taken for lost. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /** How long members have to let go of partitions. */
  readonly rebalanceMs: number;
  readonly assignor: "range" | "roundrobin";
  /** For the newer protocol, by the broker's name of it; absent: the broker's own. */
  readonly remoteAssignor: string | undefined;
  readonly clientRack: string | undefined;
  /** Resolves with the topics that are consumed now. */
  topics(): Promise<readonly string[]>;
  /** How often topics and partitions are looked at again. */
  readonly refreshMs: number;
}

export interface GroupListener {
  assigned(partitions: readonly TopicPartition[]): void;
  /** Takes nothing more of them. Resolves when what was under way is over and its positions are committed. */
  revoked(partitions: readonly TopicPartition[]): Promise<void>;
  /** They belong to others now: nothing is committed for them any more. */
  lost(partitions: readonly TopicPartition[]): void;
}

/** What positions are committed with. */
export interface Identity {
  readonly memberId: string;
  readonly epoch: number;
  readonly instanceId: string | null;
}

export interface Member {
  /** undefined: it is no member now. */
  readonly identity: Identity | undefined;
  /** Joins, and stays until `signal` is aborted, then leaves. Rejects when the group cannot be reached any more. */
  run(signal: AbortSignal): Promise<void>;
}

export interface MemberParts {
  readonly cluster: Cluster;
  readonly options: GroupOptions;
  readonly listener: GroupListener;
}

/** Failures after which a member has nothing any more. */
export const fencing: ReadonlySet<string | undefined> = new Set([
  "ILLEGAL_GENERATION",
  "UNKNOWN_MEMBER_ID",
  "FENCED_MEMBER_EPOCH",
  "FENCED_INSTANCE_ID",
]);

/** Failures of a coordinator that starts or moves. */
export const moving: ReadonlySet<string | undefined> = new Set([
  "NOT_COORDINATOR",
  "COORDINATOR_NOT_AVAILABLE",
  "COORDINATOR_LOAD_IN_PROGRESS",
]);

/** How long a heartbeat may take. When its connection is gone, two more have time over others before the session is over. */
export function beatLimit({ sessionMs }: GroupOptions): AnswerLimit {
  return { ms: Math.ceil(sessionMs / 3), name: "a third of sessionTimeoutMs" };
}

export function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
