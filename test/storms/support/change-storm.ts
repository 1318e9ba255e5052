/** Clients who install and remove things as fast as they are answered, and remember of each what was acknowledged. */
import { Agent, request } from "node:http";
import { token } from "./server.ts";
import type { Kind, Version } from "./stormed-things.ts";

export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  acknowledged: Version;
  /** Asked for and not answered. */
  inFlight: Version | undefined;
  /** The highest revision that was answered. */
  revision: number;
}

export interface ChangeStorm {
  /** Resolves when every client has been answered once. */
  readonly on: Promise<void>;
  /** Resolves when every client has lost its connection. */
  readonly over: Promise<void>;
}

const clients = 8;
const deletesInHundred = 20;

export class Changes {
  readonly things: readonly Thing[];
  readonly counts = { puts: 0, deletes: 0, inFlight: 0 };
  readonly problems: string[] = [];
  readonly #dice: (below: number) => number;
  #serial = 0;

  /** `idsOf`: of each kind. */
  constructor(idsOf: readonly (readonly [kind: Kind, ids: readonly string[]])[], dice: (below: number) => number) {
    this.things = idsOf.flatMap(([kind, ids]) =>
      ids.map((id): Thing => ({ kind, id, acknowledged: 0, inFlight: undefined, revision: 0 })),
    );
    this.#dice = dice;
  }

  /** Until the server dies. */
  start(port: number): ChangeStorm {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const firsts = Array.from({ length: clients }, () => Promise.withResolvers<void>());
    const all = firsts.map(({ resolve }) => this.#client(port, agent, resolve));
    const over = Promise.all(all).then(() => agent.destroy());
    return { on: Promise.all(firsts.map(({ promise }) => promise)).then(() => undefined), over };
  }

  async #client(port: number, agent: Agent, answered: () => void): Promise<void> {
    for (;;) {
      const free = this.things.filter(({ inFlight }) => inFlight === undefined);
      const thing = free[this.#dice(free.length)] as Thing;
      const version = this.#dice(100) < deletesInHundred ? 0 : ++this.#serial;
      thing.inFlight = version;
      const answer = await send(port, agent, thing, version).catch(() => undefined);
      if (answer === undefined) {
        this.counts.inFlight += 1;
        return;
      }
      this.#learn(thing, version, answer);
      answered();
    }
  }

  #learn(thing: Thing, version: Version, { status, revision }: Answer): void {
    const name = `${thing.kind.name} ${thing.id}`;
    const expected = thing.acknowledged === 0 ? (version === 0 ? 404 : 201) : 200;
    if (status !== expected) this.problems.push(`${name}, version ${version}: answered ${status}`);
    thing.acknowledged = version;
    thing.inFlight = undefined;
    if (version === 0) this.counts.deletes += 1;
    else {
      this.counts.puts += 1;
      if (revision <= thing.revision) this.problems.push(`${name}: revision ${revision} after ${thing.revision}`);
      thing.revision = revision;
    }
  }
}

interface Answer {
  readonly status: number;
  readonly revision: number;
}

/** Rejects when the answer does not come, or not whole. */
function send(port: number, agent: Agent, { kind, id }: Thing, version: Version): Promise<Answer> {
  const body = version === 0 ? "" : kind.body(id, version);
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, ...(body !== "" && { "Content-Type": "application/json" }) };
    const method = version === 0 ? "DELETE" : "PUT";
    const call = request({ port, agent, method, path: `/_api${kind.path(id)}`, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on("error", reject);
      answer.on("end", () => {
        const { revision = 0 } = JSON.parse(text) as { readonly revision?: number };
        resolve({ status: answer.statusCode ?? 0, revision });
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}
