/** Open clients that nobody uses: the one that was used last is taken first, and those that stay too long are given up. */

export class IdleClients<Opened> {
  readonly #mostMs: number;
  readonly #giveUp: (old: readonly Opened[]) => void;
  /** With the times since which they are idle, the oldest first. */
  #clients: (readonly [opened: Opened, since: number])[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `giveUp`: called with clients that were not taken for `mostMs`. */
  constructor(mostMs: number, giveUp: (old: readonly Opened[]) => void) {
    this.#mostMs = mostMs;
    this.#giveUp = giveUp;
  }

  get size(): number {
    return this.#clients.length;
  }

  add(opened: Opened): void {
    this.#clients.push([opened, performance.now()]);
    this.#timer ??= setTimeout(() => this.#tidy(), this.#mostMs).unref();
  }

  take(): Opened | undefined {
    return this.#clients.pop()?.[0];
  }

  takeAll(): readonly Opened[] {
    return this.#clients.splice(0).map(([opened]) => opened);
  }

  remove(opened: Opened): void {
    this.#clients = this.#clients.filter(([one]) => one !== opened);
  }

  #tidy(): void {
    this.#timer = undefined;
    const until = performance.now() - this.#mostMs;
    const old = this.#clients.filter(([, since]) => since <= until).map(([opened]) => opened);
    this.#clients = this.#clients.slice(old.length);
    const [oldest] = this.#clients;
    if (oldest !== undefined) this.#timer = setTimeout(() => this.#tidy(), oldest[1] - until).unref();
    if (old.length > 0) this.#giveUp(old);
  }
}
