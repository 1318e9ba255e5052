/** Transactions of a broker as resources of a run's transaction. */
import type { AmqpClient, AmqpTransaction } from "../../connectors/amqp-client.ts";
import type { Lease } from "../../engine/connections/connection.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { TransactedResource } from "../../engine/run-transaction.ts";
import type { JmsConnection } from "./connection.ts";

export class BrokerTransaction implements TransactedResource {
  readonly client: AmqpClient;
  readonly transaction: AmqpTransaction;
  readonly #before: () => void;
  readonly #ended: () => void;

  /** `before`: called ahead of the commit; `ended`: called when the transaction has ended. */
  constructor(
    client: AmqpClient,
    transaction: AmqpTransaction,
    { before = () => {}, ended = () => {} }: { before?: () => void; ended?: () => void } = {},
  ) {
    this.client = client;
    this.transaction = transaction;
    this.#before = before;
    this.#ended = ended;
  }

  async commit(): Promise<void> {
    try {
      this.#before();
      await this.transaction.commit();
    } finally {
      this.#ended();
    }
  }

  async rollback(): Promise<void> {
    await this.transaction.rollback();
    this.#ended();
  }
}

const owners = new Map<string, object>();

/** What stands for a broker in a run's transaction: clients with and without an id of their own reach the same one. */
export function ownerOf({ name }: JmsConnection): object {
  const present = owners.get(name);
  if (present !== undefined) return present;
  const owner = {};
  owners.set(name, owner);
  return owner;
}

/** Calls `use` with the client, and the transaction, of the run; otherwise with the client that all runs share. */
export async function withBroker<T>(
  connection: JmsConnection,
  { run }: Exchange,
  signal: AbortSignal,
  use: (client: AmqpClient, transaction: AmqpTransaction | undefined) => Promise<T>,
): Promise<T> {
  const owner = ownerOf(connection);
  if (run.transaction?.takes(owner) === true) {
    const begin = async (): Promise<BrokerTransaction> => {
      const lease = await connection.share(run, signal);
      try {
        const transaction = await lease.client.begin(signal);
        return new BrokerTransaction(lease.client, transaction, { ended: () => lease.release() });
      } catch (error) {
        lease.release();
        throw error;
      }
    };
    return await run.transaction.with({ owner, name: connection.name, begin }, (resource) =>
      use(resource.client, resource.transaction),
    );
  }
  return await outside(await connection.share(run, signal), use);
}

/** As `withBroker`, outside of any transaction. */
export async function outside<T>(
  lease: Lease<AmqpClient>,
  use: (client: AmqpClient, transaction: undefined) => Promise<T>,
): Promise<T> {
  try {
    return await use(lease.client, undefined);
  } finally {
    lease.release();
  }
}
