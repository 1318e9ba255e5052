/**
 * What a connector gives for a source whose life the runtime attends to: how messages are taken from its server, and how they are settled
 * there. The runtime owns the rest: it connects, takes no more than can begin, runs, counts, tries again, pauses and reports. The model is
 * the AsyncReader of Benthos.
 */
import type { Connection } from "../connections/connection.ts";
import type { DeliveriesOf } from "../deliveries.ts";
import type { Exchange } from "../exchange.ts";
import type { NewMessage, PeekedMessage } from "../source.ts";

/** How one message of a source is treated. */
export interface MessageRules extends DeliveriesOf {
  /** true: no message comes again after a loss, so that none is counted. */
  readonly atMostOnce?: boolean;
  /** true: the server marks each message that it has delivered before (`Taken.redelivered`). */
  readonly marksRedelivered?: boolean;
  /** Runs of a message before it has failed, and the milliseconds between them. Absent: one. */
  readonly attempts?: { readonly most: number; readonly pauseMs: number };
}

/** How the messages of a source are treated. */
export interface AttendedRules extends MessageRules {
  /** The most messages that may be under way at once. */
  readonly credits: number;
  /** true: a client serves one inlet, and is closed with it. Otherwise others may get it next. */
  readonly ownsClient?: boolean;
  /** true: what is under way when the connection is lost can be settled over the next one. Otherwise the next is opened when nothing is. */
  readonly resumes?: boolean;
  /** true: to open takes as long as other consumers of the group need. Otherwise it ends with the limit outboundTotalMs. */
  readonly waitsForOthers?: boolean;
  /**
   * true: after a loss of the thread, messages are taken one by one until those that were under way then have come: one of them may end the
   * thread again. false: the connector takes care that each comes with few beside it.
   */
  readonly aloneAfterLoss: boolean;
  /**
   * The most messages of a lane that are under way at once. Runs of a lane begin one after another: the next one when the one before has
   * ended, or has handed its last message to the client of a server. Absent: the connector has one message of a lane under way.
   */
  readonly window?: number;
  /** true: a lane has messages of several consumers (`Taken.consumer`), whose runs may be under way at the same time, however slow they are. */
  readonly ordersKeys?: boolean;
  /** The longest pause between attempts to connect, in milliseconds; absent: the limit connectionRetryMs. */
  readonly mostPauseMs?: number;
  /** The option bridgeErrorHandler: the route's error handler gets the failures of the connection. */
  readonly bridgesErrors: boolean;
}

/** A source of a protocol. `Client`: what its connection lends. */
export interface Attended<Client, T extends Taken> extends AttendedRules {
  readonly connection: Connection<Client>;
  /**
   * Begins to consume. Rejects with the reason when it cannot; what it has opened is closed then. Messages may come from here on, and wait
   * for `take`.
   */
  open(client: Client, opening: InletOpening): Promise<Inlet<T>>;
  /** As of `Source`. */
  peek?(limit: number): Promise<readonly PeekedMessage[]>;
}

export interface InletOpening {
  /** Aborted when the source stops or the client is lost, while it opens. */
  readonly signal: AbortSignal;
  /** true: messages are counted now, after a loss of the thread. */
  readonly careful: boolean;
  /** true: it is the first one since the route was started. */
  readonly isFirst: boolean;
  /** Must be called when no more messages can come. Only the first call counts. */
  fail(error: unknown): void;
  /** How many messages wait at the server; undefined: it is not known. */
  backlog(messages: number | undefined): void;
}

/** An open way to a server's messages. */
export interface Inlet<T extends Taken> {
  /**
   * Resolves with one to `most` messages when some have come, in the order in which their runs begin. Resolves with none when `stop` is
   * aborted: what was asked for stays at the server then. May be called again before the messages of the last call are settled.
   */
  take(most: number, stop: AbortSignal): Promise<readonly T[]>;
  /**
   * Tells the server how messages have ended; of one lane in the order in which they were taken. May be called again before the last call
   * has resolved. Rejects when it is not known whether the server has heard it: the inlet is closed then, and the messages come again.
   */
  settle(ended: readonly Ended<T>[]): Promise<void> | void;
  /** Takes nothing more. All messages that were taken are settled, unless the source `resumes`. Does not reject. */
  close(): Promise<void> | void;
  /** Gives a message back whose run should long have ended. Absent: it stays where it is. */
  giveBack?(taken: T): void;
  /** Whether all that was under way at a loss has come; asked while messages are counted. Absent: the connector does not know. */
  caughtUp?(): boolean;
  /** Called when messages need not come one by one any more. */
  widen?(): void;
  /** Resolves with how many messages wait; asked every few seconds. Absent: the connector calls `InletOpening.backlog`, or does not know. */
  count?(): Promise<number>;
}

/** A message that was taken and is not settled. */
export interface Taken {
  /** Makes what a run gets, anew for each run. `givesUp`: no step runs, since it was under way at too many losses. */
  message(givesUp: boolean): Omit<NewMessage, "keeps" | "failed" | "giveBack">;
  /** By what the message is known again after a loss: the same text each time that it is delivered. */
  key(): string;
  /** What its order belongs to, such as a partition. Of one that failed and comes again the others of its lane wait. */
  readonly lane: object;
  /** With a window: what its run waits in, such as a consumer that has several lanes. Absent: the lane. */
  readonly consumer?: object;
  /** With a window: about how large it is. Absent: the connector bounds how much it has. */
  readonly bytes?: number;
  /** true: the server says that it has delivered it before. */
  readonly redelivered: boolean;
  /** How often it was delivered before, where the server knows; 0 for one that never comes again. Absent: the runtime counts. */
  readonly deliveries?: number | undefined;
  /** true: when its run has failed, the runtime keeps it. */
  readonly keeps: boolean;
  /** Whether the message comes again after this failure: it is settled after a pause then, which grows with each failure of its lane. */
  comesBack?(exchange: Exchange): boolean;
  /** Sends the reply that its sender waits for. When it rejects, the run has failed. */
  reply?(exchange: Exchange): Promise<void>;
  /** true: when its run could not begin, it comes anew, with the next poll or to another consumer. Otherwise it is tried again. */
  readonly comesAnew?: boolean;
}

/**
 * - done: its run has succeeded, and its reply is sent
 * - failed: its run has failed, or was marked for rollback
 * - givenUp: it was under way at too many losses, and its route's error handler has had it; it must not come again
 * - lost: it was not consumed, and must come again
 */
export type Ended<T> =
  | { readonly taken: T; readonly outcome: "done" | "failed" | "givenUp"; readonly exchange: Exchange }
  | { readonly taken: T; readonly outcome: "lost"; readonly exchange?: undefined };
