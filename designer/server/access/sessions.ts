/** Sessions of people who have logged in: random ids in cookies, everything else in memory. */
import { createHash, randomBytes } from "node:crypto";
import type { PersonSession, User } from "../../shared/wire.ts";
import { limits } from "../limits.ts";

export interface OpenSession {
  readonly user: User;
  /** Aborted when the session ends: event streams end with it. */
  readonly ended: AbortSignal;
}

interface Kept extends OpenSession {
  readonly controller: AbortController;
  /** Monotonic times in ms. */
  readonly endsAt: number;
  idleAt: number;
}

export class Sessions {
  /** By the digest of the id, so that a look at the memory of this process does not log anybody in. The longest unused come first. */
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;
  readonly #sweep: NodeJS.Timeout;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#sweep = setInterval(() => this.#dropOver(), 30_000).unref();
  }

  /** Returns the id for the cookie. */
  open(user: User): string {
    const id = randomBytes(32).toString("base64url");
    const controller = new AbortController();
    const now = this.#now();
    this.#kept.set(digest(id), {
      ...{ user, controller, ended: controller.signal },
      ...{ endsAt: now + limits.sessionMs, idleAt: now + limits.sessionIdleMs },
    });
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= limits.sessions) break;
      this.#end(key);
    }
    return id;
  }

  /** Returns the session of an id and counts this as its use. */
  use(id: string): OpenSession | undefined {
    const key = digest(id);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.#isOver(kept)) {
      this.#end(key);
      return undefined;
    }
    kept.idleAt = this.#now() + limits.sessionIdleMs;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /** The sessions that are open, the longest unused ones first. */
  list(): readonly PersonSession[] {
    const now = this.#now();
    const timeOf = (monotonic: number): string => new Date(Date.now() + monotonic - now).toISOString();
    return [...this.#kept.values()]
      .filter((kept) => !this.#isOver(kept))
      .map(({ user, endsAt, idleAt }) => ({
        ...user,
        since: timeOf(endsAt - limits.sessionMs),
        used: timeOf(idleAt - limits.sessionIdleMs),
      }));
  }

  end(id: string): void {
    this.#end(digest(id));
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const key of this.#kept.keys()) this.#end(key);
  }

  #dropOver(): void {
    for (const [key, kept] of this.#kept) if (this.#isOver(kept)) this.#end(key);
  }

  #isOver({ endsAt, idleAt }: Kept): boolean {
    return Math.min(endsAt, idleAt) <= this.#now();
  }

  #end(key: string): void {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    kept?.controller.abort();
  }
}

function digest(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
