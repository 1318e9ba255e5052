/** A broker of AMQP 1.0 that attaches each link, has no message, and does not know links that leave messages where they are. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import rhea, { type EventContext } from "rhea";

export interface MovingBroker {
  readonly port: number;
  /** How many messages clients have asked for. */
  readonly credit: number;
  close(): void;
}

export async function startMovingBroker(product: string): Promise<MovingBroker> {
  const container = rhea.create_container({ id: product });
  container.sasl_server_mechanisms.enable_plain(() => true);
  let credit = 0;
  for (const event of ["error", "disconnected"]) container.on(event, () => {});
  container.on("sender_open", ({ sender }: EventContext) => {
    sender?.set_source({ address: sender.source.address });
  });
  container.on("sender_flow", ({ sender }: EventContext) => {
    credit += (sender as { readonly credit?: number } | undefined)?.credit ?? 0;
  });
  const server = container.listen({ port: 0, host: "127.0.0.1", properties: { product } });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get credit() {
      return credit;
    },
    close: () => void server.close(),
  };
}
