/** A network between a browser and a server, which can be cut. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Wire {
  /** What stands for the server's address. */
  readonly url: string;
  /** Breaks all connections off; new ones can be made. */
  cut(): void;
}

/** @param t anything that runs a function at its end */
export async function startWire(t: { readonly after: (end: () => void) => void }, server: string): Promise<Wire> {
  const { hostname, port } = new URL(server);
  const open = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(Number(port), hostname);
    open.add(near);
    near.pipe(far).pipe(near);
    // A cut is an error of both ends.
    near
      .on("error", () => {})
      .on("close", () => {
        open.delete(near);
        far.destroy();
      });
    far.on("error", () => {}).on("close", () => near.destroy());
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  t.after(() => {
    cut();
    listener.close();
  });
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, cut };
}
