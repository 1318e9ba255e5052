/**
 * Senders of messages with keys: they repeat what was not acknowledged, and send what was acknowledged again. Each attempt has a text of its
 * own, `key/attempt`, so that a message that was processed twice shows whether its sender or the runtime has repeated it.
 */
import type { Server } from "../server.ts";

export class KeyedSenders {
  /** The attempt with which each key was acknowledged. */
  readonly acknowledged = new Map<string, string>();
  /** Attempts that a kill has cut off: nobody knows how far they came. */
  readonly cut = new Set<string>();
  readonly problems: string[] = [];
  /** Acknowledged keys that were sent again, and those among them that counted as new. */
  repeated = 0;
  lostKeys = 0;
  readonly #path: string;
  readonly #headers: () => Readonly<Record<string, string>>;
  readonly #roll: (below: number) => number;
  readonly #keys: string[] = [];
  readonly #open: string[] = [];
  readonly #attempts = new Map<string, number>();
  #onAnswer: () => void = () => {};

  /** The flow behind `path` answers `new` or `duplicate`. `headers`: of a message, beside its id. */
  constructor(
    path: string,
    roll: (below: number) => number,
    headers: () => Readonly<Record<string, string>> = () => ({}),
  ) {
    this.#path = path;
    this.#roll = roll;
    this.#headers = headers;
  }

  /** Resolves with the next message that is acknowledged. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
    });
  }

  /** Resolves when each of so many senders has been cut off. */
  async storm(server: Server, senders: number): Promise<void> {
    const send = async (): Promise<void> => {
      for (;;) {
        const known = this.#roll(4) === 0 ? this.#keys[this.#roll(this.#keys.length)] : undefined;
        if (known !== undefined) {
          if (!(await this.#again(server, known))) return;
        } else if (!(await this.#first(server, this.#open.pop() ?? this.#newKey()))) return;
      }
    };
    await Promise.all(Array.from({ length: senders }, send));
  }

  /** Sends what is open, and then all that was acknowledged once more. */
  async finish(server: Server): Promise<void> {
    for (const key of this.#open.splice(0)) await this.#first(server, key);
    const keys = [...this.#keys];
    const send = async (): Promise<void> => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) await this.#again(server, key);
    };
    await Promise.all(Array.from({ length: 4 }, send));
  }

  #newKey(): string {
    const key = `k${this.#attempts.size + 1}`;
    this.#attempts.set(key, 0);
    return key;
  }

  async #again(server: Server, key: string): Promise<boolean> {
    const answer = await this.#post(server, key, `${key}/again`);
    if (answer === undefined) return false;
    this.repeated += 1;
    if (answer === "duplicate") return true;
    this.lostKeys += 1;
    this.problems.push(`${this.#path}: the key ${key} was acknowledged, and then it was ${answer}`);
    return true;
  }

  async #first(server: Server, key: string): Promise<boolean> {
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    const answer = await this.#post(server, key, `${key}/${attempt}`);
    if (answer === "new" || answer === "duplicate") {
      this.acknowledged.set(key, answer === "new" ? `${key}/${attempt}` : "");
      this.#keys.push(key);
      this.#onAnswer();
      return true;
    }
    this.#open.push(key);
    if (answer === undefined) this.cut.add(`${key}/${attempt}`);
    else this.problems.push(`${this.#path}: the key ${key} was answered ${answer}`);
    return answer !== undefined;
  }

  /** Resolves with the body, or the status of a failure; undefined: the runtime was gone before it had answered. */
  async #post({ url }: Server, id: string, body: string): Promise<string | undefined> {
    try {
      const headers = { "Content-Type": "text/plain", id, ...this.#headers() };
      const answer = await fetch(url + this.#path, { method: "POST", headers, body });
      const text = await answer.text();
      return answer.ok ? text : `${answer.status} ${text}`;
    } catch {
      return undefined;
    }
  }
}
