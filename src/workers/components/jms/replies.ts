/** Queues at which replies are awaited: a temporary one of the connection, or a fixed one, of which each thread takes its own replies. */
import { randomUUID } from "node:crypto";
import type { AmqpClient, AmqpDelivery, AmqpMessage, AmqpNode } from "../../connectors/amqp-client.ts";
import { asText } from "../../engine/convert.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { JmsOptions } from "./options.ts";

/** By what replies to this thread are recognised among those to others. */
const thread = randomUUID();
let requests = 0;

export function newCorrelationId(): string {
  requests += 1;
  return `${thread}-${requests}`;
}

/** An id of a message by which its reply comes to this thread. */
export function newRequestId(): string {
  return `ID:${newCorrelationId()}`;
}

interface Expected {
  readonly promise: Promise<AmqpMessage>;
  cancel(): void;
}

interface Waiting {
  resolve(message: AmqpMessage): void;
  reject(error: Error): void;
}

export type ReplyOptions = Pick<
  JmsOptions,
  "correlationProperty" | "replyCorrelationProperty" | "replyToDestinationSelectorName" | "useMessageIDAsCorrelationID"
>;

/** What chooses the replies of this thread, or of one request, at a fixed queue. `id`: that of the request, which the flow has chosen. */
export function replySelector(options: ReplyOptions, id: string | undefined): string {
  const named = options.replyToDestinationSelectorName;
  if (named !== undefined) return `${named} = '${thread}'`;
  const property = options.replyCorrelationProperty ?? options.correlationProperty ?? "JMSCorrelationID";
  if (id !== undefined) return `${property} = '${id.replaceAll("'", "''")}'`;
  return `${property} LIKE '${options.useMessageIDAsCorrelationID ? "ID:" : ""}${thread}-%'`;
}

/** The property by which replies are chosen, with its value in requests. */
export function selectorProperty({ replyToDestinationSelectorName: name }: ReplyOptions): Record<string, string> {
  return name === undefined ? {} : { [name]: thread };
}

export class ReplyQueue {
  readonly node: AmqpNode;
  readonly address: string;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #close: () => Promise<void>;

  private constructor(node: AmqpNode, address: string, close: () => Promise<void>) {
    this.node = node;
    this.address = address;
    this.#close = close;
  }

  /** `node` undefined: a temporary queue. `ended`: called when it gets no more replies. */
  static async open(
    client: AmqpClient,
    node: AmqpNode | undefined,
    options: ReplyOptions,
    more: {
      readonly selector: string | undefined;
      readonly maxBytes: number;
      readonly warn: (text: string) => void;
      readonly ended: () => void;
    },
  ): Promise<ReplyQueue> {
    let queue: ReplyQueue | undefined;
    const { selector, maxBytes, warn, ended } = more;
    const take = (delivery: AmqpDelivery): void => {
      delivery.settle("accept");
      receiver.request(1);
      queue?.arrived(delivery, options, warn);
    };
    const receiver = await client.receive({ node, selector, maxBytes }, take, (error) => {
      ended();
      queue?.fail(error);
    });
    queue = new ReplyQueue(node ?? { type: "temp-queue", name: receiver.address }, receiver.address, () =>
      receiver.close(),
    );
    receiver.request(100);
    return queue;
  }

  /** The reply to a request that is sent from here on. */
  expect(id: string): Expected {
    const { promise, resolve, reject } = Promise.withResolvers<AmqpMessage>();
    promise.catch(() => {});
    const waiting: Waiting = { resolve, reject };
    this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), waiting]);
    return { promise, cancel: () => this.#remove(id, waiting) };
  }

  arrived({ message, unreadable }: AmqpDelivery, options: ReplyOptions, warn: (text: string) => void): void {
    const id = message && correlationOf(message, options);
    const [first] = this.#waiting.get(id ?? "") ?? [];
    if (message !== undefined && id !== undefined && first !== undefined) {
      this.#remove(id, first);
      first.resolve(message);
    } else if (message === undefined) warn(`a reply cannot be read: ${exceptionMessage(unreadable)}`);
    else warn(`a reply with the correlation id ${id ?? "(none)"} has come when nobody waited for it any more`);
  }

  fail(error: Error): void {
    for (const { reject } of [...this.#waiting.values()].flat()) reject(error);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    await this.#close();
  }

  #remove(id: string, waiting: Waiting): void {
    const left = (this.#waiting.get(id) ?? []).filter((one) => one !== waiting);
    if (left.length === 0) this.#waiting.delete(id);
    else this.#waiting.set(id, left);
  }
}

function correlationOf({ properties, application }: AmqpMessage, options: ReplyOptions): string | undefined {
  const property = options.replyCorrelationProperty ?? options.correlationProperty;
  if (property === undefined) return properties?.correlationId;
  const value = application?.[property];
  return value === undefined || value === null ? undefined : asText(value);
}

const queues = new WeakMap<AmqpClient, Map<string, Promise<ReplyQueue>>>();

/** The queue of a connection for all requests that await replies in the same way. */
export function sharedReplyQueue(
  client: AmqpClient,
  node: AmqpNode | undefined,
  options: ReplyOptions,
  more: { readonly maxBytes: number; readonly warn: (text: string) => void },
): Promise<ReplyQueue> {
  const selector = node === undefined ? undefined : replySelector(options, undefined);
  const property = options.replyCorrelationProperty ?? options.correlationProperty ?? "";
  const key = `${node?.name ?? ""} ${property} ${selector ?? ""}`;
  const ofClient = queues.get(client) ?? new Map<string, Promise<ReplyQueue>>();
  queues.set(client, ofClient);
  const present = ofClient.get(key);
  if (present !== undefined) return present;
  const forget = (): void => void ofClient.delete(key);
  const opening = ReplyQueue.open(client, node, options, { ...more, selector, ended: forget });
  ofClient.set(key, opening);
  opening.catch(forget);
  return opening;
}
