/** A server that has a process for each of its connections, which would outlive the one that listens. */
import { readdirSync, readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { pause } from "../support/clock.ts";
import { type Program, ServerProcess, Unavailable } from "./server-process.ts";

export class SessionServer extends ServerProcess {
  readonly #port: number;

  constructor(program: Program, port: number) {
    super(program, undefined, "SIGTERM");
    this.#port = port;
  }

  override async start(): Promise<void> {
    await super.start();
    while (!(await this.#takesConnections())) {
      if (this.hasEnded) throw new Unavailable("the server has ended before it took connections");
      await pause(20);
    }
  }

  override async stop(signal?: NodeJS.Signals): Promise<void> {
    const { pid } = this;
    const sessions = pid === undefined ? [] : descendants(pid);
    await super.stop(signal);
    for (const session of sessions) {
      try {
        process.kill(session, "SIGKILL");
      } catch {
        // It has ended with its connection.
      }
    }
  }

  #takesConnections(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = createConnection(this.#port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
  }
}

function descendants(of: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): (readonly [child: number, parent: number])[] => {
      try {
        const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8")) ?? [];
        return [[Number(name), Number(parent)]];
      } catch {
        return [];
      }
    });
  const below = (pid: number): number[] =>
    parents.filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)]);
  return below(of);
}
