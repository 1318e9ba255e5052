/** The acknowledgement of a transacted message. */
import type { AmqpClient, AmqpDelivery, AmqpTransaction } from "../../connectors/amqp-client.ts";
import { RunTransaction } from "../../engine/run-transaction.ts";
import { BrokerTransaction, ownerOf } from "./broker-transaction.ts";
import type { JmsConnection } from "./connection.ts";

/** How long the broker may take to begin a transaction. */
const beginMs = 30_000;

/** The acknowledgement of a message, with what the route sends to the same broker. */
export class Acknowledgement {
  readonly run: RunTransaction;
  readonly #delivery: AmqpDelivery;
  readonly #owner: object;
  readonly #name: string;
  #isAccepted = false;

  constructor(connection: JmsConnection, client: AmqpClient, delivery: AmqpDelivery) {
    this.#delivery = delivery;
    this.#owner = ownerOf(connection);
    this.#name = connection.name;
    const begin = async (): Promise<BrokerTransaction> => {
      const transaction = await client.begin(AbortSignal.timeout(beginMs));
      const before = (): void => {
        this.#isAccepted = true;
        delivery.acceptIn(transaction);
      };
      return new BrokerTransaction(client, transaction, { before });
    };
    this.run = new RunTransaction({ only: { owner: this.#owner, begin } });
  }

  async with(use: (client: AmqpClient, transaction: AmqpTransaction) => Promise<void>): Promise<void> {
    // The transaction has its own way to begin.
    const begin = (): Promise<BrokerTransaction> => Promise.reject(new Error("it is begun by the consumer"));
    await this.run.with({ owner: this.#owner, name: this.#name, begin }, ({ client, transaction }) =>
      use(client, transaction),
    );
  }

  /** Rejects when nothing was committed: the message comes again then. */
  async commit(): Promise<void> {
    await this.run.end(true);
    if (!this.#isAccepted) this.#delivery.settle("accept");
  }
}
