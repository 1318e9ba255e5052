/** Answers threads that want to open named connections: places of each connection, in turn, and refusals for runs that wait for each other. */
import type { ConnectionSecrets, ConnectionUse } from "../../shared/connection.ts";
import type { OpenDatabase, Permit, PermitRequest } from "../threads/pooled-flow.ts";
import { findStuck } from "./deadlocks.ts";
import { ConnectionPlaces } from "./places.ts";

/** The connection that a flow means. */
export interface Meant {
  /** Of a document its name; of one that the flow itself declares the flow's id and its own, with a slash. */
  readonly key: string;
  /** For messages. */
  readonly name: string;
  /** Returns the present bound. */
  readonly most: () => number;
  readonly secrets: () => Promise<ConnectionSecrets>;
  /** Absent: it is no embedded database. */
  readonly database?: OpenDatabase;
}

interface PermitParts {
  /** Returns why there is none as a text. */
  meant(flowId: string, use: ConnectionUse): Meant | string;
  /** Called when a connection begins to fail, and when it is open again. */
  changed(places: ConnectionPlaces): void;
}

/** The deployment whose thread asks. */
interface Asker {
  readonly flowId: string;
  readonly manifest: { readonly connections?: readonly ConnectionUse[] };
}

const missing = "org.apache.camel.NoSuchBeanException";
const locked = "LimitExceededException";

export class Permits {
  readonly #parts: PermitParts;
  readonly #places = new Map<string, ConnectionPlaces>();
  #sequence = 0;

  constructor(parts: PermitParts) {
    this.#parts = parts;
  }

  /** Throws for a connection that the flow does not declare. */
  ask(asker: Asker, request: PermitRequest): Permit {
    const { flowId, manifest } = asker;
    const use = manifest.connections?.find(({ id }) => id === request.connection);
    if (use === undefined) throw new Error("it asks for a connection that its flow does not have");
    const meant = this.#parts.meant(flowId, use);
    if (typeof meant === "string") {
      request.refuse(missing, meant);
      return { opened() {}, closed() {} };
    }
    const places = this.#placesOf(meant);
    const held = this.#heldBy(asker, request);
    const run = request.slot < 0 ? undefined : `${request.thread} ${request.slot}`;
    const permit = places.ask({ request, run, held, secrets: meant.secrets, sequence: ++this.#sequence });
    if (held.size > 0) this.#refuseStuck();
    return { ...permit, ...(meant.database && { database: meant.database }) };
  }

  /** The settings of the connection have changed: it may have more places. */
  look(key: string): void {
    this.#places.get(key)?.look();
    this.#refuseStuck();
  }

  /** Returns what is known of a connection that was asked for. */
  of(key: string): ConnectionPlaces | undefined {
    return this.#places.get(key);
  }

  entries(): Iterable<readonly [key: string, places: ConnectionPlaces]> {
    return this.#places;
  }

  /** Forgets what is known of connections that are gone; those that are still open are kept. */
  keepOnly(isKnown: (key: string) => boolean): void {
    for (const [key, places] of this.#places)
      if (!isKnown(key) && places.taken + places.waiting.length === 0) this.#places.delete(key);
  }

  #placesOf({ key, name, most }: Meant): ConnectionPlaces {
    let places = this.#places.get(key);
    if (places === undefined) {
      places = new ConnectionPlaces(name, most, this.#parts.changed);
      this.#places.set(key, places);
    }
    return places;
  }

  /** What the thread reports of the run, as far as its places bear it out. */
  #heldBy({ flowId, manifest }: Asker, { held, thread }: PermitRequest): ReadonlyMap<ConnectionPlaces, number> {
    const found = new Map<ConnectionPlaces, number>();
    for (const [id, count] of held) {
      const use = manifest.connections?.find((one) => one.id === id);
      const meant = use && this.#parts.meant(flowId, use);
      const places = meant === undefined || typeof meant === "string" ? undefined : this.#places.get(meant.key);
      if (places === undefined) continue;
      const most = places.takenBy(thread) - (found.get(places) ?? 0);
      if (Math.min(count, most) > 0) found.set(places, (found.get(places) ?? 0) + Math.min(count, most));
    }
    return found;
  }

  /** The run that has asked last gives way: its message fails, and what it has is free for the others. */
  #refuseStuck(): void {
    for (;;) {
      const [last] = [...findStuck(this.#places.values())].sort(([, a], [, b]) => b.sequence - a.sequence);
      if (last === undefined) return;
      const [places, asked] = last;
      const have = [...asked.held].map(([{ name }, count]) => `${count} of '${name}'`).join(", ");
      places.refuse(
        asked,
        locked,
        `the run waits for a connection of '${places.name}' and has ${have} open; all ${places.most} of them belong to runs that wait ` +
          "in the same way, so that none of them would ever go on: raise maxConnections of the connection, or let the flow need one connection at a time",
      );
    }
  }
}
