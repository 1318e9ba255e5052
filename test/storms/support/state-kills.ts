/**
 * Senders that repeat what was not acknowledged, a runtime that is killed again and again, and the book about both: which keys were
 * acknowledged, which were cut off, and how often each was processed.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loaded } from "./loaded.ts";
import { type Server, startServer } from "./server.ts";

const senders = 16;
/** Of a message: long enough that kills find keys that are taken. */
const workMs = 4;

const keyed = `
- route:
    id: keyed
    from:
      uri: webhook
      steps:
        - setBody: { constant: duplicate }
        - idempotentConsumer:
            id: seen
            header: id
            steps:
              - delay: { constant: ${workMs} }
              - setBody: { simple: "\${header.id}" }
              - to: "file:effects?fileName=keyed&fileExist=Append&appendChars=%0A"
              - setBody: { constant: new }
`;
const inbox = `
- route:
    id: inbox
    from:
      uri: "file:in?noop=true&initialDelay=1&delay=10"
      steps:
        - setBody: { simple: "\${header.CamelFileName}" }
        - to: "file:effects?fileName=inbox&fileExist=Append&appendChars=%0A"
`;

export interface Figures {
  readonly acknowledged: number;
  /** Messages whose sender was cut off by a kill. */
  readonly cut: number;
  /** Acknowledged keys that were sent again later. */
  readonly repeated: number;
  readonly files: number;
  /** Acknowledged keys that counted as new when they came again. */
  readonly lostKeys: number;
  /** Messages and files that were never processed. */
  readonly lostMessages: number;
  /** Messages and files that were processed more than once, all of them. */
  readonly doubles: number;
  /** Those among them that no kill explains. */
  readonly unexplained: number;
  readonly problems: readonly string[];
}

export class StateKills {
  readonly #directory: string;
  readonly #roll: (below: number) => number;
  readonly #acknowledged: string[] = [];
  /** Keys whose sender was cut off at least once. */
  readonly #cut = new Set<string>();
  readonly #problems: string[] = [];
  #lastKey = 0;
  #files = 0;
  #repeated = 0;
  #lostKeys = 0;
  #onAnswer: () => void = () => {};
  /** Keys that wait for their next attempt. */
  readonly #open: string[] = [];

  /** `directory`: of the runtime, empty; `roll`: chance (dice.ts). */
  constructor(directory: string, roll: (below: number) => number) {
    this.#directory = directory;
    this.#roll = roll;
  }

  async run(kills: number): Promise<Figures> {
    let server = await this.#start();
    await server.put("shop.keyed", keyed);
    await server.put("shop.inbox", inbox);
    for (let kill = 1; kill <= kills; kill += 1) {
      const storm = this.#storm(server);
      await this.#addFiles(5);
      await this.#answered();
      await new Promise((resolve) => setTimeout(resolve, 20 + this.#roll(200)));
      await server.remove();
      await storm;
      server = await this.#start();
      if (kill % 20 === 0) console.log(`${kill} kills, ${this.#acknowledged.length} acknowledged`);
    }
    try {
      await this.#finish(server);
    } finally {
      await server.remove();
    }
    return this.#figures(kills);
  }

  /** Resolves with the next message that is acknowledged. */
  #answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
    });
  }

  async #start(): Promise<Server> {
    const server = await startServer({ directory: this.#directory });
    await loaded(server.url);
    return server;
  }

  /** Resolves when each sender has been cut off. */
  async #storm(server: Server): Promise<void> {
    const send = async (): Promise<void> => {
      for (;;) {
        const again = this.#acknowledged.length > 0 && this.#roll(4) === 0;
        const known = again ? this.#acknowledged[this.#roll(this.#acknowledged.length)] : undefined;
        if (known !== undefined) {
          if (!(await this.#again(server, known))) return;
        } else if (!(await this.#first(server, this.#open.pop() ?? `k${++this.#lastKey}`))) return;
      }
    };
    await Promise.all(Array.from({ length: senders }, send));
  }

  /** Sends a key that was acknowledged. Returns false when the runtime is gone. */
  async #again(server: Server, key: string): Promise<boolean> {
    const answer = await post(server, key);
    if (answer === undefined) return false;
    this.#repeated += 1;
    if (answer === "duplicate") return true;
    this.#lostKeys += 1;
    this.#problems.push(`the key ${key} was acknowledged, and then it was ${answer}`);
    return true;
  }

  async #first(server: Server, key: string): Promise<boolean> {
    const answer = await post(server, key);
    if (answer === "new" || answer === "duplicate") {
      this.#acknowledged.push(key);
      this.#onAnswer();
      return true;
    }
    this.#open.push(key);
    if (answer === undefined) this.#cut.add(key);
    else this.#problems.push(`the key ${key} was answered ${answer}`);
    return answer !== undefined;
  }

  async #addFiles(count: number): Promise<void> {
    const directory = join(this.#directory, "data/files/shop.inbox/in");
    await mkdir(directory, { recursive: true });
    for (let i = 0; i < count; i += 1) await writeFile(join(directory, `f${++this.#files}`), "a file");
  }

  /** Sends what is open, and then all that was acknowledged once more; waits for the files. */
  async #finish(server: Server): Promise<void> {
    for (const key of this.#open.splice(0)) await this.#first(server, key);
    for (const key of [...this.#acknowledged]) await this.#again(server, key);
    const until = Date.now() + 30_000;
    while (Date.now() < until && (await this.#counts("inbox")).size < this.#files) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #counts(flow: string): Promise<ReadonlyMap<string, number>> {
    const path = join(this.#directory, `data/files/shop.${flow}/effects/${flow}`);
    const text = await readFile(path, "utf8").catch(() => "");
    const counts = new Map<string, number>();
    for (const key of text.split("\n")) if (key !== "") counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  }

  async #figures(kills: number): Promise<Figures> {
    const processed = await this.#counts("keyed");
    const files = await this.#counts("inbox");
    const lost = this.#acknowledged.filter((key) => !processed.has(key));
    const lostFiles = this.#files - files.size;
    for (const key of lost) this.#problems.push(`the message ${key} was acknowledged and never processed`);
    if (lostFiles > 0) this.#problems.push(`${lostFiles} files were never taken`);
    const twice = [...processed].filter(([, count]) => count > 1).map(([key]) => key);
    const filesTwice = [...files.values()].reduce((sum, count) => sum + count - 1, 0);
    const unexplained = twice.filter((key) => !this.#cut.has(key));
    for (const key of unexplained) this.#problems.push(`the message ${key} was processed twice without a kill`);
    // One file is under way at a time.
    const tooMany = Math.max(0, filesTwice - kills);
    if (tooMany > 0) this.#problems.push(`${filesTwice} files were taken again after ${kills} kills`);
    return {
      acknowledged: this.#acknowledged.length,
      cut: this.#cut.size,
      repeated: this.#repeated,
      files: this.#files,
      lostKeys: this.#lostKeys,
      lostMessages: lost.length + lostFiles,
      doubles: twice.length + filesTwice,
      unexplained: unexplained.length + tooMany,
      problems: this.#problems,
    };
  }
}

/** Resolves with the body, or the status of a failure; undefined: the runtime was gone before it had answered. */
async function post({ url }: Server, id: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/api/keyed`, { method: "POST", headers: { id } });
    const text = await answer.text();
    return answer.ok ? text : `${answer.status} ${text}`;
  } catch {
    return undefined;
  }
}
