/** What one thread has asked for of named connections: requests that wait, and the places of those that it has open; and what it was asked to look at over them. */
import { type ConnectionSecrets, type ConnectionSettings, mostPermitsAsked } from "../../../shared/connection.ts";
import type { Frames } from "../../../shared/frame-shape.ts";
import { controlFields, ToControl } from "../../../shared/frames-to-control.ts";
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { OpenDatabase, Permit, PermitAsker, PermitRequest } from "../pooled-flow.ts";
import { AskedDatabase, type DatabaseFrame, readDatabase } from "./asked-database.ts";
import { AskedPeeks } from "./asked-peeks.ts";
import { type ConnectionFrame, type PermitFrame, readConnectionEvent, readPermit } from "./connection-frames.ts";

/** The pool of a thread's flow. */
export interface PermitOwner {
  readonly limits: Limits;
  /** Throws for a connection that the flow does not declare. */
  permits(request: PermitRequest): Permit;
}

/** The numbers of the frames that are about connections. */
type ConnectionFrameNumber = (typeof ToControl)["permit" | "connection" | "database" | "probed" | "peeked"];

interface Around {
  /** The number of the thread. */
  readonly thread: number;
  readonly owner: PermitOwner;
  /** Called with each answer, which takes the weight of a message away again. */
  readonly breaker: { answered(): void };
  send(...frame: FrameToThread): void;
}

interface Asked {
  permit: Permit | undefined;
  answered: boolean;
  /** Made with its first request. */
  database: AskedDatabase | undefined;
}

export class AskedConnections {
  readonly #around: Around;
  readonly #asked = new Map<number, Asked>();
  readonly #askers = new Map<string, PermitAsker>();
  readonly peeks: AskedPeeks;
  #waiting = 0;
  #probed: ((answer: string) => void) | undefined;
  /** Of the connection that is tried. */
  #tried: AskedDatabase | undefined;

  constructor(around: Around) {
    this.#around = around;
    this.peeks = new AskedPeeks(around.send);
  }

  /** Reads the frame of this number that begins at this index. Throws for what the protocol does not have. */
  read(number: ConnectionFrameNumber, frames: Frames, at: number): void {
    if (number === ToControl.permit) this.#ask(readPermit(frames, at));
    else if (number === ToControl.connection) this.#changed(readConnectionEvent(frames, at));
    else if (number === ToControl.database) this.#database(readDatabase(frames, at));
    else if (number === ToControl.peeked) this.peeks.answered(frames, at);
    else if (this.#probed === undefined) throw new Error("it answers what it was not asked");
    else this.#probed(controlFields.probed.answer(frames, at));
  }

  /** Tries a connection in the thread, whose flow is empty. Resolves with a ProbeAnswer as JSON. */
  probe(settings: ConnectionSettings, database: OpenDatabase | undefined): Promise<string> {
    this.#tried = database && this.#askedOf(database);
    return new Promise((resolve) => {
      this.#probed = resolve;
      this.#around.send(ToThread.probe, JSON.stringify(settings));
    });
  }

  /** Throws when too many wait. */
  #ask({ id, slot, connection, held }: PermitFrame): void {
    if (this.#asked.has(id)) throw new Error("it asks for a connection twice");
    this.#waiting += 1;
    if (this.#waiting > mostPermitsAsked) throw new Error(`it asks for more than ${mostPermitsAsked} connections`);
    const asked: Asked = { permit: undefined, answered: false, database: undefined };
    this.#asked.set(id, asked);
    const answer = (type: string, message: string, secrets: string): void => {
      this.#answered(asked);
      if (type !== "") this.#asked.delete(id);
      this.#around.send(ToThread.permitted, id, type, message, secrets);
    };
    asked.permit = this.#around.owner.permits({
      ...{ connection, held, slot, thread: this.#around.thread, asker: this.#askerOf(connection) },
      grant: (secrets: ConnectionSecrets) => answer("", "", JSON.stringify(secrets)),
      refuse: (type, message) => answer(type, message, ""),
    });
  }

  /** Takes a report about a connection. One of a request that was refused meanwhile is ignored. */
  #changed({ id, event, failure }: ConnectionFrame): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    if (event === "opened") {
      if (!asked.answered) throw new Error("it opens a connection without a place");
      asked.permit?.opened();
      return;
    }
    this.#asked.delete(id);
    this.#answered(asked);
    asked.database?.end();
    asked.permit?.closed(event === "failed" ? failure : undefined);
  }

  #database(frame: DatabaseFrame): void {
    const asked = this.#asked.get(frame.id);
    const open = asked?.answered === true ? asked.permit?.database : undefined;
    if (asked !== undefined && open !== undefined) asked.database ??= this.#askedOf(open);
    const database = frame.id === 0 ? this.#tried : asked?.database;
    if (database === undefined) throw new Error("it uses a database without a place");
    database.take(frame);
  }

  #askedOf(open: OpenDatabase): AskedDatabase {
    const { breaker, send, owner } = this.#around;
    return new AskedDatabase({ open, breaker, send, mostMs: owner.limits.outboundTotalMs });
  }

  /** Call it when the thread is gone: its places are free. */
  end(): void {
    const all = [...this.#asked.values()];
    this.#asked.clear();
    this.#tried?.end();
    this.peeks.end();
    for (const { permit, database } of all) {
      database?.end();
      permit?.closed(undefined);
    }
  }

  #answered(asked: Asked): void {
    if (asked.answered) return;
    asked.answered = true;
    this.#waiting -= 1;
    this.#around.breaker.answered();
  }

  #askerOf(connection: string): PermitAsker {
    let asker = this.#askers.get(connection);
    if (asker === undefined) {
      asker = { wanted: (yes) => this.#around.send(ToThread.wanted, connection, yes ? 1 : 0) };
      this.#askers.set(connection, asker);
    }
    return asker;
  }
}
