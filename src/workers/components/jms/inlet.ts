/** The links of a source over one connection. Over each come as many messages as were asked for. */
import type { AmqpClient, AmqpReceiver, ReceiverNeed } from "../../connectors/amqp-client.ts";
import { Arrivals } from "../../engine/attended/arrivals.ts";
import type { Ended, Inlet, InletOpening } from "../../engine/attended/attended.ts";
import { JmsTaken, type TakenParts } from "./taken.ts";

interface Link {
  readonly receiver: AmqpReceiver;
  /** Messages that were asked for and have not come, or that are not settled. */
  open: number;
}

export interface InletNeed {
  readonly parts: TakenParts;
  /** What the links with these indexes need. */
  readonly links: readonly ReceiverNeed[];
  /** The most messages of a link that are asked for or not settled. */
  readonly window: number;
}

/** With so many bytes of messages that are not settled, the broker gets further ones back that were asked for: many may be large. */
const mostBytes = 4 * 1024 * 1024;

export class JmsInlet implements Inlet<JmsTaken> {
  readonly #client: AmqpClient;
  readonly #need: InletNeed;
  readonly #links: Link[] = [];
  readonly #arrivals = new Arrivals<JmsTaken>();
  /** Messages that were asked for and have not come. */
  #asked = 0;
  /** Of messages that are not settled. */
  #bytes = 0;
  /** true: what was asked for goes back until all of it has come, so that none overtakes another. */
  #isFull = false;
  #isTaking = false;
  /** true: messages need not come one by one. */
  #isWide = false;
  #over = false;
  /** Resolves when no message comes any more. */
  #stopped: Promise<unknown> | undefined;

  private constructor(client: AmqpClient, need: InletNeed) {
    this.#client = client;
    this.#need = need;
  }

  static async open(client: AmqpClient, need: InletNeed, { signal, fail }: InletOpening): Promise<JmsInlet> {
    const inlet = new JmsInlet(client, need);
    for (const link of need.links) await inlet.#attach(link, fail);
    const stop = (): void => inlet.#stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    return inlet;
  }

  async take(most: number, stop: AbortSignal): Promise<readonly JmsTaken[]> {
    this.#ask(most - this.#asked - this.#arrivals.size);
    this.#isTaking = true;
    const taken = await this.#arrivals.take(most, stop);
    this.#isTaking = false;
    return taken;
  }

  /** Asks for so many messages, over the links in turn. */
  #ask(most: number): void {
    if (this.#over || this.#isFull) return;
    const wanted = new Map<Link, number>();
    let left = most;
    for (let next = 0; left > 0 && next < this.#need.window; next++)
      for (const link of this.#links)
        if (left > 0 && link.open <= next) {
          link.open += 1;
          left -= 1;
          wanted.set(link, (wanted.get(link) ?? 0) + 1);
        }
    this.#asked += most - left;
    for (const [{ receiver }, count] of wanted) receiver.request(count);
  }

  async settle(ended: readonly Ended<JmsTaken>[]): Promise<void> {
    await Promise.all(
      ended.map(async (one) => {
        await one.taken.settle(one);
        (one.taken.lane as Link).open -= 1;
        this.#bytes -= one.taken.bytes;
      }),
    );
    this.#askAgain(ended.length);
  }

  #askAgain(most: number): void {
    if (this.#asked === 0) this.#isFull = false;
    if (this.#isTaking && this.#isWide) this.#ask(most);
  }

  widen(): void {
    this.#isWide = true;
  }

  giveBack(taken: JmsTaken): void {
    taken.giveBack();
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#stopped;
    await Promise.all(this.#links.map(({ receiver }) => receiver.close()));
  }

  async #attach(need: ReceiverNeed, fail: (error: unknown) => void): Promise<void> {
    let link: Link | undefined;
    const receiver = await this.#client.receive(
      need,
      (delivery) => {
        if (link === undefined || this.#over) return delivery.settle("release");
        this.#asked -= 1;
        if (this.#isFull || (this.#bytes > 0 && this.#bytes + delivery.bytes > mostBytes)) {
          this.#isFull = true;
          link.open -= 1;
          delivery.settle("release");
          if (this.#bytes === 0) this.#askAgain(1);
          return;
        }
        this.#bytes += delivery.bytes;
        const from = { client: this.#client, link, address: link.receiver.address };
        this.#arrivals.add(new JmsTaken(this.#need.parts, from, delivery));
      },
      fail,
    );
    link = { receiver, open: 0 };
    this.#links.push(link);
  }

  /** What has been asked for stays at the broker. */
  #stop(): void {
    if (this.#over) return;
    this.#over = true;
    for (const arrived of this.#arrivals.clear()) arrived.giveBack();
    this.#stopped = Promise.all(this.#links.map(({ receiver }) => receiver.drain()));
  }
}
