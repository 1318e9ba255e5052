/** A server that answers lines: the other end of `asking:` (asking/asking.ts). */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

export interface AskServer {
  readonly port: number;
  /** Logins, with their passwords. */
  readonly logins: readonly string[];
  /** Connections that are open now, and the most that were open at the same time. */
  readonly open: number;
  readonly most: number;
  /** Questions that are held back. */
  readonly held: number;
  /** The password that is right; undefined: any is. */
  password: string | undefined;
  /** true: answers are held back until `answer`. */
  holds: boolean;
  /** Answers everything that is held back. */
  answer(): void;
  /** Closes all connections at the server's side. */
  drop(): void;
  /** Takes no connections until `listen`. */
  close(): Promise<void>;
  listen(): Promise<void>;
}

export async function startAskServer(t: TestContext): Promise<AskServer> {
  const logins: string[] = [];
  const sockets = new Set<Socket>();
  let held: (() => void)[] = [];
  let most = 0;
  let port = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    createInterface({ input: socket }).on("line", (line) => {
      const reply = (text: string): void => void socket.write(`${text}\n`);
      if (line.startsWith("LOGIN ")) {
        const [, , password] = line.split(" ");
        logins.push(String(password));
        reply(state.password === undefined || state.password === password ? "OK" : "ERR the password is wrong");
      } else if (line === "VERSION") reply("Ask 1.0");
      else if (state.holds) held.push(() => reply(`answer to ${line}`));
      else reply(`answer to ${line}`);
    });
  });
  const listen = (): Promise<void> =>
    new Promise((resolve) =>
      server.listen(port, "127.0.0.1", () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      }),
    );
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await listen();
  t.after(() => {
    drop();
    server.close();
  });
  const state: AskServer = {
    password: undefined,
    holds: false,
    logins,
    listen,
    drop,
    get port() {
      return port;
    },
    get open() {
      return sockets.size;
    },
    get most() {
      return most;
    },
    get held() {
      return held.length;
    },
    answer() {
      state.holds = false;
      for (const reply of held) reply();
      held = [];
    },
    close() {
      drop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return state;
}
