/** What a connection to Kafka lends: a cluster that was reached, and senders and further connections to it. */
import type { ConnectionSettings } from "../../../shared/connection.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { FlowException } from "../../engine/exception.ts";
import { ClassicMember } from "./classic-member.ts";
import { type AnswerLimit, answerMsOf, Cluster } from "./cluster.ts";
import { ConsumerMember } from "./consumer-member.ts";
import { kafkaFailure } from "./failure.ts";
import { Fetcher, type FetchListener, type FetchOptions } from "./fetcher.ts";
import type { GroupListener, GroupOptions, Identity, Member, TopicPartition } from "./group.ts";
import { errorName } from "./library.ts";
import { commit, committedOf, type Edge, edgeOf, type Position } from "./offsets.ts";
import { Sender, type SenderOptions } from "./sender.ts";

export class KafkaClient {
  readonly cluster: Cluster;
  readonly #settings: ConnectionSettings;
  readonly #limits: Limits;
  readonly #senders = new Map<string, Sender>();
  readonly #others = new Set<Cluster>();

  constructor(settings: ConnectionSettings, limits: Limits) {
    this.#settings = settings;
    this.#limits = limits;
    this.cluster = new Cluster(settings, limits, this.#late);
  }

  /** The rack or zone of the runtime, as the document says it. */
  get clientRack(): string | undefined {
    const { clientRack } = this.#settings.options;
    return clientRack === undefined ? undefined : String(clientRack);
  }

  /** The name that the protocol has for a failure; undefined: it is another one. */
  errorName(error: unknown): string | undefined {
    return errorName(error);
  }

  /** The failure as flows know it. */
  failure(error: unknown): FlowException {
    return kafkaFailure("", error);
  }

  /** The sender with these options, which all who want them share. */
  sender(options: SenderOptions): Sender {
    const key = JSON.stringify(options);
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const brokerMs = options.brokerMs ?? answerMsOf(this.#settings);
    const cluster = options.brokerMs === undefined ? this.cluster : this.another(brokerMs);
    const sender = new Sender(cluster, options, brokerMs);
    this.#senders.set(key, sender);
    return sender;
  }

  /** Further connections, for requests that the broker answers late: one that waits holds up those behind it. `answerMs`: how long that is. */
  another(answerMs: number): Cluster {
    const cluster = new Cluster(this.#settings, this.#limits, this.#late, answerMs);
    this.#others.add(cluster);
    return cluster;
  }

  /** A member of a group, which is no member yet. */
  member(protocol: "classic" | "consumer", options: GroupOptions, listener: GroupListener): Member {
    // Members wait for each other in a request.
    const cluster = this.another(options.rebalanceMs + 10_000);
    const parts = { cluster, options, listener };
    return protocol === "classic" ? new ClassicMember(parts) : new ConsumerMember(parts);
  }

  fetcher(options: FetchOptions, listener: FetchListener): Fetcher {
    return new Fetcher(this.another(options.waitMs + options.answerMs), options, listener);
  }

  committed(
    groupId: string,
    identity: Identity,
    isNewer: boolean,
    partitions: readonly TopicPartition[],
  ): Promise<ReadonlyMap<string, bigint>> {
    return committedOf(this.cluster, groupId, { ...identity, isNewer }, partitions);
  }

  commit(groupId: string, identity: Identity, positions: readonly Position[], limit: AnswerLimit): Promise<void> {
    return commit(this.cluster, groupId, identity, positions, limit);
  }

  edge(of: TopicPartition, edge: Edge, isolation: number): Promise<bigint> {
    return edgeOf(this.cluster, of, edge, isolation);
  }

  /** Resolves with the names of all topics that the user may see. */
  async topics(): Promise<readonly string[]> {
    interface Answer {
      readonly topics: readonly { readonly name: string | null; readonly isInternal: boolean }[];
    }
    const { topics } = await this.cluster.ask<Answer>("Metadata", undefined, null, false, false);
    return topics.flatMap(({ name, isInternal }) => (name === null || isInternal ? [] : [name]));
  }

  /** A connection that is gone has usually taken the others with it, and some of these have longer times. */
  readonly #late = (): void => {
    for (const one of [this.cluster, ...this.#others]) one.drop();
  };

  async close(): Promise<void> {
    await Promise.all([this.cluster, ...this.#others].map((one) => one.close()));
  }
}
