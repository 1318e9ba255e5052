/** A connection to an AMQP 1.0 broker, as components use it, and its messages. */

/** Whole numbers beyond 2^53 are bigint. */
export type AmqpValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Uint8Array
  | readonly AmqpValue[]
  | { readonly [name: string]: AmqpValue };

/** A number with the type that it is sent with. */
export interface TypedNumber {
  readonly type: "byte" | "ubyte" | "uint" | "long" | "timestamp";
  readonly value: number;
}

export interface AmqpProperties {
  /** Ids are texts as in JMS: `ID:...`, and `ID:AMQP_UUID:...` for those of other types. */
  readonly messageId?: string;
  readonly userId?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly replyTo?: string;
  readonly correlationId?: string;
  readonly contentType?: string;
  /** Milliseconds of the epoch. */
  readonly absoluteExpiry?: number;
  readonly creationTime?: number;
  readonly groupId?: string;
  readonly groupSequence?: number;
  readonly replyToGroupId?: string;
}

export type AmqpBody =
  | { readonly section: "none" }
  | { readonly section: "value"; readonly value: AmqpValue }
  | { readonly section: "data"; readonly bytes: Uint8Array }
  | { readonly section: "sequence"; readonly items: readonly AmqpValue[] };

export interface AmqpMessage {
  readonly durable?: boolean;
  readonly priority?: number;
  /** Milliseconds. */
  readonly ttl?: number;
  /** How often it was delivered before, as the broker counts. */
  readonly deliveryCount?: number;
  readonly annotations?: Readonly<Record<string, AmqpValue | TypedNumber>>;
  readonly properties?: AmqpProperties;
  readonly application?: Readonly<Record<string, AmqpValue>>;
  readonly body: AmqpBody;
}

export type NodeType = "queue" | "topic" | "temp-queue" | "temp-topic";

/** A queue or a topic. */
export interface AmqpNode {
  readonly type: NodeType;
  /** Without the prefix that the broker wants. */
  readonly name: string;
}

/** A place as the broker calls it. Its type says what a broker makes that does not have it yet. */
export interface AmqpAddress {
  readonly type: AmqpNode["type"];
  readonly address: string;
}

export interface ReceiverNeed {
  /** undefined: a temporary queue, which the broker names, and which ends with the link. */
  readonly node: AmqpNode | undefined;
  readonly selector?: string | undefined;
  /** Of a topic: true is a subscription that stays when the link ends. */
  readonly durable?: boolean;
  /** Of a topic: true is a subscription that several connections share. */
  readonly shared?: boolean;
  /** Of a shared subscription: true is one that does not belong to a client id. */
  readonly global?: boolean;
  /** The name of the subscription, or of the link. */
  readonly name?: string | undefined;
  /** true: messages of the same connection are left out. */
  readonly noLocal?: boolean;
  /** true: messages are read, and stay. */
  readonly browses?: boolean;
  /** Of a topic, with `browses`: the queue that a durable subscription has at the broker. */
  readonly subscription?: string | undefined;
  /** Consumers with a higher one get messages first. */
  readonly priority?: number | undefined;
  /** The most bytes of a message; larger ones arrive as `unreadable`. */
  readonly maxBytes: number;
}

/** How a message is settled. `failed`: the broker counts the delivery, and delivers again or moves the message away. */
export type Settlement = "accept" | "release" | "failed" | "reject";

export interface AmqpDelivery {
  /** Absent: it could not be read. */
  readonly message?: AmqpMessage;
  readonly unreadable?: Error;
  /** How many it has, as far as they were read. */
  readonly bytes: number;
  /** Does nothing after the connection is lost. */
  settle(how: Settlement): void;
  /** Accepts it in the transaction. */
  acceptIn(transaction: AmqpTransaction): void;
}

export interface AmqpReceiver {
  /** The address that the broker has given it. */
  readonly address: string;
  /** true: the broker has agreed that its messages stay. */
  readonly browses: boolean;
  /** Asks for so many more messages. */
  request(messages: number): void;
  /** Takes back what was asked for. Resolves when no more messages come; with false when the broker has not answered in time. */
  drain(): Promise<boolean>;
  /** Ends the link. `unsubscribes`: and its durable subscription. */
  close(): Promise<void>;
}

export interface AmqpTransaction {
  /** Rejects when nothing was committed. */
  commit(): Promise<void>;
  /** Does not reject. */
  rollback(): Promise<void>;
}

export interface AmqpClient {
  /** Aborted with the reason when the connection is lost. */
  readonly lost: AbortSignal;
  /**
   * Sends a message. Resolves when the broker has it, or, in a transaction, when it has it as a part of that. Rejects with
   * a FlowException when it refuses it, with the signal's reason before it is sent or while it is not answered.
   */
  send(to: AmqpNode | AmqpAddress, message: AmqpMessage, how: SendHow): Promise<void>;
  /** Resolves when the broker has attached it. `take`: called for each message; `ended`: when the broker ends it. */
  receive(
    need: ReceiverNeed,
    take: (delivery: AmqpDelivery) => void,
    ended: (error: Error) => void,
  ): Promise<AmqpReceiver>;
  /** Begins a local transaction of the broker. */
  begin(signal: AbortSignal): Promise<AmqpTransaction>;
  /** The address of a queue or a topic at this broker. */
  addressOf(node: AmqpNode): string;
}

export interface SendHow {
  readonly signal: AbortSignal;
  readonly transaction?: AmqpTransaction | undefined;
  /** Called when the message is behind all that was sent to its address before. */
  readonly enqueued?: (() => void) | undefined;
}
