/** Local transactions of a broker: what is sent and accepted in one is done as a whole, or not at all. */
import type { AmqpTransaction } from "../amqp-client.ts";
import { jmsFailure } from "./failure.ts";
import { described, field, type RheaSender, rhea } from "./library.ts";
import type { AmqpSender } from "./sender.ts";
import type { AmqpSession } from "./session.ts";

/** How long the broker may take to end a transaction. */
const endMs = 30_000;

const names = new WeakMap<AmqpTransaction, Uint8Array>();

/** The name that the broker has given a transaction. */
export function namedTransaction(transaction: AmqpTransaction): Uint8Array {
  const name = names.get(transaction);
  if (name === undefined) throw new Error("the transaction is not one of this connection");
  return name;
}

/** The link over which transactions are begun and ended. */
export function openCoordinator({ session }: AmqpSession, name: string): RheaSender {
  const link = session.create_sender(name, { treat_modified_as_released: false });
  link.set_source({});
  link.local.attach.target = rhea.types.wrap_described(
    [rhea.types.wrap_symbol("amqp:local-transactions")],
    described.coordinator,
  );
  const attach = link.on_attach.bind(link);
  link.on_attach = (frame) => {
    // The library reads other targets only.
    frame.performative.value[field.attach.target] = undefined;
    attach(frame);
  };
  link.open();
  return link;
}

export async function beginTransaction(
  session: AmqpSession,
  coordinator: AmqpSender,
  signal: AbortSignal,
): Promise<AmqpTransaction> {
  const delivery = await coordinator.send(declare, undefined, signal);
  const name = session.takeDeclared(delivery);
  if (name === undefined) throw jmsFailure("the broker has not begun a transaction");
  const end = async (fails: boolean): Promise<void> => {
    await coordinator.send(discharge(name, fails), undefined, AbortSignal.timeout(endMs));
  };
  const transaction: AmqpTransaction = {
    async commit() {
      try {
        await end(false);
      } catch (error) {
        throw jmsFailure("the broker has not committed the transaction", "amqp:transaction:rollback", error);
      }
    },
    // A transaction of a lost connection is rolled back by the broker.
    rollback: () => end(true).catch(() => {}),
  };
  names.set(transaction, name);
  return transaction;
}

/** An amqp-value section with the list `declare`, which is empty. */
const declare = Buffer.of(0x00, 0x53, 0x77, 0x00, 0x53, described.declare, 0x45);

function discharge(name: Uint8Array, fails: boolean): Buffer {
  const fields = [0xa0, name.length, ...name, fails ? 0x41 : 0x42];
  return Buffer.of(0x00, 0x53, 0x77, 0x00, 0x53, described.discharge, 0xc0, fields.length + 1, 2, ...fields);
}
