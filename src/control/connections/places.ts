/**
 * The places of one named connection: at most `maxConnections` open ones, over all threads of all flows. Requests wait in
 * their order, those of runs that have an open connection before others.
 */
import type { ConnectionSecrets } from "../../shared/connection.ts";
import type { Permit, PermitAsker, PermitRequest } from "../threads/pooled-flow.ts";

/** The class of the exception when a secret of the connection cannot be read. */
const unreadable = "org.apache.camel.RuntimeCamelException";

/** A run in a thread, for requests of the same run. */
export type RunKey = string;

export interface PlaceRequest {
  readonly request: PermitRequest;
  /** Grows with each request. */
  readonly sequence: number;
  secrets(): Promise<ConnectionSecrets>;
  /** undefined: no run waits. */
  readonly run: RunKey | undefined;
  /** The places that the run has, by connection. */
  readonly held: ReadonlyMap<ConnectionPlaces, number>;
}

export interface LastError {
  readonly message: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

interface Granted {
  readonly thread: number;
  readonly asker: PermitAsker;
  open: boolean;
}

export class ConnectionPlaces {
  readonly name: string;
  readonly #granted = new Set<Granted>();
  #waiting: PlaceRequest[] = [];
  readonly #starts = new WeakMap<PlaceRequest, () => Promise<void>>();
  /** Those whose threads were notified that others wait. */
  #notified = new Set<PermitAsker>();
  readonly #most: () => number;
  readonly #onChange: (places: ConnectionPlaces) => void;
  errors = 0;
  /** true: it has been open since the start of the runtime. */
  wasOpen = false;
  lastError: LastError | undefined;
  /** Since when attempts have failed without a success between them; undefined: the last one was successful. */
  failingSince: string | undefined;

  /** `most`: returns the present bound. `onChange`: called when the connection fails, and when it is open again. */
  constructor(name: string, most: () => number, onChange: (places: ConnectionPlaces) => void) {
    this.name = name;
    this.#most = most;
    this.#onChange = onChange;
  }

  get open(): number {
    let count = 0;
    for (const { open } of this.#granted) if (open) count += 1;
    return count;
  }

  get taken(): number {
    return this.#granted.size;
  }

  get most(): number {
    return this.#most();
  }

  get waiting(): readonly PlaceRequest[] {
    return this.#waiting;
  }

  ask(asked: PlaceRequest): Permit {
    let granted: Granted | undefined;
    let over = false;
    const grant = async (): Promise<void> => {
      const { asker, thread } = asked.request;
      const place: Granted = { asker, thread, open: false };
      granted = place;
      this.#granted.add(place);
      try {
        const secrets = await asked.secrets();
        if (!over) asked.request.grant(secrets);
      } catch (error) {
        if (over) return;
        over = true;
        const message = error instanceof Error ? error.message : String(error);
        this.#failed(message);
        asked.request.refuse(unreadable, message);
        this.#free(place);
      }
    };
    this.#starts.set(asked, grant);
    const before = this.#waiting.findIndex(({ held }) => asked.held.size > 0 && held.size === 0);
    this.#waiting.splice(before < 0 ? this.#waiting.length : before, 0, asked);
    this.look();
    return {
      opened: () => {
        if (granted === undefined || over) return;
        granted.open = true;
        this.wasOpen = true;
        const failed = this.failingSince !== undefined;
        this.failingSince = undefined;
        if (failed) this.#onChange(this);
      },
      closed: (failure) => {
        if (over) return;
        over = true;
        if (failure !== undefined) this.#failed(failure);
        if (granted === undefined) this.#withdraw(asked);
        else this.#free(granted);
      },
    };
  }

  /** Refuses a request that waits. */
  refuse(asked: PlaceRequest, type: string, message: string): void {
    this.#withdraw(asked);
    asked.request.refuse(type, message);
  }

  /** How many places this thread has. */
  takenBy(thread: number): number {
    let count = 0;
    for (const place of this.#granted) if (place.thread === thread) count += 1;
    return count;
  }

  /** Gives places to those that wait, as far as there are some. */
  look(): void {
    while (this.#granted.size < this.most) {
      const [next] = this.#waiting;
      if (next === undefined) break;
      this.#waiting = this.#waiting.slice(1);
      void this.#starts.get(next)?.();
    }
    this.#notify();
  }

  #withdraw(asked: PlaceRequest): void {
    this.#waiting = this.#waiting.filter((other) => other !== asked);
    this.#notify();
  }

  #free(place: Granted): void {
    this.#granted.delete(place);
    this.look();
  }

  #failed(message: string): void {
    const at = new Date().toISOString();
    this.errors += 1;
    this.lastError = { message, at };
    const first = this.failingSince === undefined;
    this.failingSince ??= at;
    if (first) this.#onChange(this);
  }

  /** Threads that have places give back those that they do not use, as long as others wait. */
  #notify(): void {
    // A thread whose own runs wait hands its clients on to them: to close them for these would only open others.
    const waiting = new Set(this.#waiting.map(({ request }) => request.thread));
    const isWanted = ({ thread }: Granted): boolean => waiting.size > (waiting.has(thread) ? 1 : 0);
    const now = new Set([...this.#granted].filter(isWanted).map(({ asker }) => asker));
    for (const asker of now) if (!this.#notified.has(asker)) asker.wanted(true);
    for (const asker of this.#notified) if (!now.has(asker)) asker.wanted(false);
    this.#notified = now;
  }
}
