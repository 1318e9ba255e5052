/** Many clients of one kind in a process of their own: `{ port, name, count }` replaces those that there are, and is answered with what those had done. */
import { type Client, type MannerName, startClient } from "./clients.ts";

export interface Crowd {
  readonly port: number;
  /** Absent: none. */
  readonly name?: MannerName;
  readonly count: number;
}

let clients: readonly Client[] = [];

process.on("message", ({ port, name, count }: Crowd) => {
  const opened = clients.reduce((sum, one) => sum + one.opened, 0);
  for (const client of clients) client.stop();
  clients = name === undefined ? [] : Array.from({ length: count }, () => startClient(port, name));
  process.send?.({ opened });
});
