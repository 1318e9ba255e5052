/** The parts of the MQTT library that are used: its client, without those that open connections by themselves. */
import type { IClientOptions, IConnackPacket, IPublishPacket } from "mqtt";
import library from "mqtt/lib/client";
import { ReasonCodes } from "mqtt/lib/handlers/ack";

export type { IClientOptions, IConnackPacket, IPublishPacket };
export { ReasonCodes };

export const Client = library.default;
export type Client = InstanceType<typeof Client>;

/** Acknowledgements, which the library sends by itself where a client does not take that over. */
export interface AckPacket {
  readonly cmd: "puback" | "pubrec";
  readonly messageId: number;
  readonly reasonCode: 0;
}

/** Sends a packet at once. */
export function sendAck(client: Client, packet: AckPacket): void {
  (client as unknown as { _sendPacket(packet: AckPacket): void })._sendPacket(packet);
}
