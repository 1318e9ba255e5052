/**
 * Groups of an `aggregate` in the state store, by size and by time-out: each message that was acknowledged has to be delivered with its group,
 * and what is delivered twice must be marked as redelivered, listed as interrupted, or sent anew after its claim was void.
 */
import { epochMs, pause } from "../../../support/clock.ts";
import type { Server } from "../server.ts";
import type { InterruptedRuns } from "./interrupted-runs.ts";
import type { KeptSink } from "./kept-sink.ts";
import { KeyedSenders } from "./keyed-senders.ts";
import { counted, type PartFigures, type StormPart, sharedFlow } from "./part.ts";

const senders = 5;
const groupKeys = 6;

interface Options {
  readonly sink: KeptSink;
  readonly port: number;
  readonly interrupted: InterruptedRuns;
  /** Whether complete groups have runs of their own. */
  readonly parallel: boolean;
  roll(below: number): number;
}

export class GroupsPart implements StormPart {
  readonly flowId = sharedFlow;
  readonly senders: KeyedSenders;
  readonly #options: Options;
  readonly #name: string;

  constructor(options: Options) {
    this.#options = options;
    this.#name = options.parallel ? "aside" : "gather";
    const { roll } = options;
    this.senders = new KeyedSenders(`/api/${this.#name}`, roll, () => ({ group: `g${roll(groupKeys)}` }));
  }

  yaml(version: number): string {
    const { port, parallel } = this.#options;
    return `
- beans:
    - { name: seen-${this.#name}, type: org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository }
    - { name: groups-${this.#name}, type: org.apache.camel.processor.aggregate.jdbc.JdbcAggregationRepository }
- route:
    id: ${this.#name}
    from:
      uri: webhook
      steps:
        - setProperty: { name: version, constant: "${version}" }
        - setProperty: { name: answer, constant: duplicate }
        - idempotentConsumer:
            idempotentRepository: seen-${this.#name}
            header: id
            steps:
              - setBody: { simple: "${this.#name}:\${body}" }
              - aggregate:
                  id: ${this.#name}-groups
                  correlationExpression: { header: group }
                  aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
                  aggregationRepository: groups-${this.#name}
                  parallelProcessing: ${parallel}
                  completionSize: 4
                  completionTimeout: 150
                  steps:
                    - setHeader: { name: redelivered, simple: "\${header.CamelRedelivered}" }
                    - setHeader: { name: by, simple: "\${exchangeProperty.CamelAggregatedCompletedBy}" }
                    - marshal: { json: {} }
                    - to: "http:127.0.0.1:${port}/group?bridgeEndpoint=true&httpMethod=POST"
              - setProperty: { name: answer, constant: new }
        - setBody: { simple: "\${exchangeProperty.answer}" }
`;
  }

  storm(server: Server): Promise<void> {
    return this.senders.storm(server, senders);
  }

  answered(): Promise<void> {
    return this.senders.answered();
  }

  async finish(server: Server): Promise<void> {
    await this.senders.finish(server);
    const until = epochMs() + 30_000;
    while (epochMs() < until && (await this.#open(server)) > 0) await pause(50);
  }

  async figures(): Promise<PartFigures> {
    const { acknowledged, cut, lostKeys } = this.senders;
    const problems = [...this.senders.problems];
    const deliveries = this.#deliveries();
    const attempts = counted(deliveries.flatMap(({ messages }) => messages));
    const keys = counted([...attempts.keys()].map((attempt) => attempt.replace(/\/.*/, "")));
    const lost = [...acknowledged].filter(
      ([key, attempt]) => !(attempt === "" ? keys.has(key) : attempts.has(attempt)),
    );
    for (const [key, attempt] of lost)
      problems.push(`${this.#name}: the message ${attempt || key} was acknowledged and is lost`);
    const twice = [...attempts].filter(([, count]) => count > 1).map(([attempt]) => attempt);
    const unexplained = twice.filter((attempt) => !this.#explained(attempt));
    for (const attempt of unexplained)
      problems.push(`${this.#name}: ${attempt} was delivered ${attempts.get(attempt)} times`);
    const joinedAnew = [...keys].filter(([, count]) => count > 1).map(([key]) => key);
    const notCut = joinedAnew.filter((key) => !cut.has(`${key}/1`));
    for (const key of notCut) problems.push(`${this.#name}: ${key} joined two groups without a kill`);
    const name = `groups${this.#options.parallel ? ", in runs of their own" : ""}`;
    return {
      rows: [
        [`${name}: messages acknowledged`, acknowledged.size, ""],
        ["... attempts cut off", cut.size, ""],
        ["... acknowledged keys forgotten", lostKeys, 0],
        ["... deliveries of groups", deliveries.length, ""],
        ["... by time-out", deliveries.filter(({ by }) => by === "timeout").length, ""],
        ["... marked as redelivered", deliveries.filter(({ redelivered }) => redelivered).length, ""],
        ["... messages lost", lost.length, 0],
        ["... delivered again, marked or listed as interrupted", twice.length - unexplained.length, ""],
        ["... delivered again, sent anew since their claim was void", joinedAnew.length, ""],
        ["... delivered again without a reason", unexplained.length + notCut.length, 0],
      ],
      problems,
    };
  }

  #deliveries(): readonly KeptSink["deliveries"][number][] {
    const own = `${this.#name}:`;
    return this.#options.sink.deliveries
      .filter(({ messages: [first = ""] }) => first.startsWith(own))
      .map((delivery) => ({ ...delivery, messages: delivery.messages.map((message) => message.slice(own.length)) }));
  }

  /** A group that comes again has the same messages, and the runtime says that it may have come before. */
  #explained(attempt: string): boolean {
    const mine = this.#deliveries().filter(({ messages }) => messages.includes(attempt));
    const same = mine.every(({ messages }) => messages.join() === mine[0]?.messages.join());
    const unmarked = mine.slice(1).filter(({ redelivered }) => !redelivered).length;
    return same && unmarked <= this.#options.interrupted.times(`${this.#name}:${attempt}`);
  }

  /** Resolves with the number of groups that the state store has. */
  async #open({ api }: Server): Promise<number> {
    const listed = (await (await api(`/flows/${this.flowId}/state`)).json()) as { kind: string; keys: number }[];
    return listed.reduce((sum, { kind, keys }) => sum + (kind === "aggregation" ? keys : 0), 0);
  }
}
