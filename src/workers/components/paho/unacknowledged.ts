/**
 * The messages of a session that are not acknowledged. They outlast a lost connection: the broker sends them again then, with
 * their ids, and one that is still in the route is not run a second time. Acknowledgements leave in the order in which the
 * messages have come, as the protocol wants it.
 */
import type { BrokerClient } from "../../connectors/mqtt/client.ts";
import type { MqttMessage } from "../../connectors/mqtt/receiving.ts";

export interface Unsettled {
  readonly message: MqttMessage;
  /** The connection over which the message has come last. */
  client: BrokerClient;
  /** `left`: it is not acknowledged, and comes again with another connection. */
  state: "under way" | "settled" | "left";
}

export class Unacknowledged {
  readonly #byId = new Map<number, Unsettled>();
  /** Of qos 2: taken over, while the broker may not know it yet. */
  #received: ReadonlySet<number> = new Set();

  /** A connection is open. Without the session of before the broker sends nothing again that was under way. */
  begin(client: BrokerClient): void {
    if (!client.isResumed) this.#byId.clear();
    else client.resume(this.#received);
    this.#received = client.received;
  }

  /** Notes a message of qos 1 or 2. Returns undefined for one that is known: it is acknowledged when its run has ended. */
  take(message: MqttMessage, client: BrokerClient): Unsettled | undefined {
    const known = message.dup ? this.#byId.get(message.id) : undefined;
    if (known !== undefined && known.state !== "left") {
      known.client = client;
      this.#flush();
      return undefined;
    }
    const taken: Unsettled = { message, client, state: "under way" };
    // A message that comes again is the newest.
    this.#byId.delete(message.id);
    this.#byId.set(message.id, taken);
    return taken;
  }

  settle(taken: Unsettled): void {
    taken.state = "settled";
    this.#flush();
  }

  /** The message stays at the broker without an acknowledgement. */
  leave(taken: Unsettled): void {
    taken.state = "left";
    this.#flush();
  }

  /** Acknowledges from the oldest on. What ended while the connection was lost waits until it comes again. */
  #flush(): void {
    for (const [id, taken] of this.#byId) {
      if (taken.state === "under way") return;
      if (taken.state === "settled" && taken.client.acknowledge(taken.message)) this.#byId.delete(id);
    }
  }
}
