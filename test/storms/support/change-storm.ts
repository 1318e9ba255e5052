/** Clients who deploy and delete flows as fast as they are answered, and remember of each flow what was acknowledged. */
import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { token } from "./server.ts";

/** A version's serial number; 0: the flow is deleted. */
export type Version = number;

export interface FlowRecord {
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
  readonly flows: ReadonlyMap<string, FlowRecord>;
  readonly counts = { puts: 0, deletes: 0, inFlight: 0 };
  readonly problems: string[] = [];
  readonly #dice: (below: number) => number;
  #serial = 0;

  constructor(ids: readonly string[], dice: (below: number) => number) {
    this.flows = new Map(ids.map((id) => [id, { acknowledged: 0, inFlight: undefined, revision: 0 }]));
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
      const free = [...this.flows].filter(([, { inFlight }]) => inFlight === undefined);
      const [id, flow] = free[this.#dice(free.length)] as [string, FlowRecord];
      const version = this.#dice(100) < deletesInHundred ? 0 : ++this.#serial;
      flow.inFlight = version;
      const answer = await send(port, agent, id, version).catch(() => undefined);
      if (answer === undefined) {
        this.counts.inFlight += 1;
        return;
      }
      this.#learn(id, flow, version, answer);
      answered();
    }
  }

  #learn(id: string, flow: FlowRecord, version: Version, { status, revision }: Answer): void {
    const expected = version === 0 ? [flow.acknowledged === 0 ? 404 : 200] : [flow.acknowledged === 0 ? 201 : 200];
    if (!expected.includes(status)) this.problems.push(`${id}, version ${version}: answered ${status}`);
    flow.acknowledged = version;
    flow.inFlight = undefined;
    if (version === 0) this.counts.deletes += 1;
    else {
      this.counts.puts += 1;
      if (revision <= flow.revision) this.problems.push(`${id}: revision ${revision} after ${flow.revision}`);
      flow.revision = revision;
    }
  }
}

/** Its first line is the hash of the rest, and the route answers the serial number. */
export function flowText(id: string, version: Version): string {
  const rest = `- route:\n    id: ${id}\n    from:\n      uri: webhook\n      steps:\n        - setBody: { constant: "${version}" }\n`;
  const padded = `${rest}# ${"x".repeat((version * 97) % 3000)}\n`;
  return `# ${createHash("sha256").update(padded).digest("hex")}\n${padded}`;
}

/** undefined: not one of the texts, or not whole. */
export function versionIn(text: string): Version | undefined {
  const [first = "", ...rest] = text.split("\n");
  if (first !== `# ${createHash("sha256").update(rest.join("\n")).digest("hex")}`) return undefined;
  return Number(/constant: "(\d+)"/.exec(text)?.[1]);
}

interface Answer {
  readonly status: number;
  readonly revision: number;
}

/** Rejects when the answer does not come, or not whole. */
function send(port: number, agent: Agent, id: string, version: Version): Promise<Answer> {
  const body = version === 0 ? "" : JSON.stringify({ yaml: flowText(id, version), params: { version } });
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, ...(body !== "" && { "Content-Type": "application/json" }) };
    const method = version === 0 ? "DELETE" : "PUT";
    const call = request({ port, agent, method, path: `/_api/flows/${id}`, headers }, (answer) => {
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
