/** A link over which messages come one by one, each when it is asked for. */
import type { AmqpClient, AmqpDelivery, AmqpReceiver, ReceiverNeed } from "../../connectors/amqp-client.ts";

type Take = (delivery: AmqpDelivery | undefined) => void;

export class ConsumerLink {
  readonly #receiver: AmqpReceiver;
  #waiting: Take[];
  #arrived: AmqpDelivery[];
  #ended = false;

  private constructor(receiver: AmqpReceiver, waiting: Take[], arrived: AmqpDelivery[]) {
    this.#receiver = receiver;
    this.#waiting = waiting;
    this.#arrived = arrived;
  }

  /** `ended`: called when the broker has ended the link, or the connection is lost. */
  static async open(client: AmqpClient, need: ReceiverNeed, ended: (error: Error) => void): Promise<ConsumerLink> {
    const waiting: Take[] = [];
    const arrived: AmqpDelivery[] = [];
    let link: ConsumerLink | undefined;
    const take = (delivery: AmqpDelivery): void => {
      const next = waiting.shift();
      if (next === undefined) arrived.push(delivery);
      else next(delivery);
    };
    const receiver = await client.receive(need, take, (error) => {
      link?.end();
      ended(error);
    });
    link = new ConsumerLink(receiver, waiting, arrived);
    return link;
  }

  get address(): string {
    return this.#receiver.address;
  }

  /** Asks for a message. Resolves with undefined when none comes any more. */
  next(): Promise<AmqpDelivery | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#receiver.request(1);
    });
  }

  /** No message is taken any more: those that have been asked for stay at the broker. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    // Those who wait must not get what arrives meanwhile.
    const waiting = this.#waiting.splice(0);
    await this.#receiver.drain();
    for (const delivery of this.#arrived.splice(0)) delivery.settle("release");
    for (const give of waiting) give(undefined);
    this.end();
  }

  async close(): Promise<void> {
    await this.#receiver.close();
  }

  end(): void {
    this.#ended = true;
    for (const give of this.#waiting.splice(0)) give(undefined);
  }
}
