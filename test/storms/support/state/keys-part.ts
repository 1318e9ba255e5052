/** Keys of an `idempotentConsumer`: none that was acknowledged may be forgotten, and a kill has to explain what was processed twice. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "../server.ts";
import { KeyedSenders } from "./keyed-senders.ts";
import { counted, type PartFigures, type StormPart, sharedFlow } from "./part.ts";

const senders = 8;
/** Of a message: long enough that kills find keys that are taken. */
const workMs = 4;

export class KeysPart implements StormPart {
  readonly flowId = sharedFlow;
  readonly senders: KeyedSenders;
  readonly #directory: string;

  constructor(directory: string, roll: (below: number) => number) {
    this.#directory = directory;
    this.senders = new KeyedSenders("/api/keyed", roll);
  }

  yaml(version: number): string {
    return `
- route:
    id: keyed
    from:
      uri: webhook
      steps:
        - setProperty: { name: version, constant: "${version}" }
        - setProperty: { name: message, simple: "\${body}" }
        - setBody: { constant: duplicate }
        - idempotentConsumer:
            id: seen
            header: id
            steps:
              - delay: { constant: ${workMs} }
              - setBody: { simple: "\${exchangeProperty.message}" }
              - to: "file:effects?fileName=keyed&fileExist=Append&appendChars=%0A"
              - setBody: { constant: new }
`;
  }

  storm(server: Server): Promise<void> {
    return this.senders.storm(server, senders);
  }

  answered(): Promise<void> {
    return this.senders.answered();
  }

  finish(server: Server): Promise<void> {
    return this.senders.finish(server);
  }

  async figures(): Promise<PartFigures> {
    const { acknowledged, cut, repeated, lostKeys } = this.senders;
    const problems = [...this.senders.problems];
    const effects = join(this.#directory, `data/files/${this.flowId}/effects/keyed`);
    const lines = (await readFile(effects, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const attempts = counted(lines);
    const keys = counted(lines.map((line) => line.replace(/\/.*/, "")));
    const lost = [...acknowledged].filter(
      ([key, attempt]) => !(attempt === "" ? keys.has(key) : attempts.has(attempt)),
    );
    for (const [key] of lost) problems.push(`the message ${key} was acknowledged and never processed`);
    const twice = [...attempts].filter(([, count]) => count > 1);
    for (const [attempt] of twice) problems.push(`the message ${attempt} was sent once and processed twice`);
    const doubles = [...keys].filter(([, count]) => count > 1).map(([key]) => key);
    const unexplained = doubles.filter((key) => !cut.has(`${key}/1`));
    for (const key of unexplained) problems.push(`the key ${key} was processed twice without a kill`);
    return {
      rows: [
        ["keys: messages acknowledged", acknowledged.size, ""],
        ["... attempts cut off", cut.size, ""],
        ["... acknowledged keys sent again", repeated, ""],
        ["... acknowledged keys forgotten", lostKeys, 0],
        ["... messages lost", lost.length, 0],
        ["... processed twice, the claim of the first attempt was void", doubles.length, ""],
        ["... processed twice without a kill", unexplained.length + twice.length, 0],
      ],
      problems,
    };
  }
}
