import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { ConnectionDriver } from "../../../src/workers/engine/connections/connection.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";

export interface AskingClient {
  readonly socket: Socket;
  ask(question: string): Promise<string>;
}

export const driver: ConnectionDriver<AskingClient> = {
  async open({ servers: [server], username, password = "-", database }, { signal, lost }) {
    const socket = connect({ host: server?.host ?? "", port: server?.port ?? 0 });
    signal.addEventListener("abort", () => socket.destroy());
    await once(socket, "connect");
    const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
    const gone = (): void => {
      const error = new FlowException("java.sql.SQLTransientConnectionException", "the server closed the connection");
      for (const { reject } of waiting.splice(0)) reject(error);
      lost(error);
    };
    socket.on("error", () => {}).on("close", gone);
    createInterface({ input: socket }).on("line", (line) => waiting.shift()?.resolve(line));
    const ask = (question: string): Promise<string> =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        socket.write(`${question}\n`);
      });
    const answer = await ask(`LOGIN ${username} ${password} ${database}`);
    if (answer === "OK") return { socket, ask };
    socket.destroy();
    throw new FlowException("java.sql.SQLInvalidAuthorizationSpecException", answer.replace(/^ERR /, ""));
  },
  async close({ socket }) {
    socket.end();
    if (!socket.destroyed) await once(socket, "close");
  },
  async probe({ ask }) {
    return { serverVersion: await ask("VERSION"), tls: null };
  },
};
