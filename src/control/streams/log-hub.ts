/** Passes every line of the log, of flows and of the runtime, to standard output and to the log stream, with the same number. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Limits } from "../../shared/limits.ts";
import type { LossReason } from "../../shared/protocol.ts";
import type { LogEvent } from "../../shared/trace-event.ts";
import { EventStream } from "./event-stream.ts";
import type { StreamQuery } from "./stream-filter.ts";

/** A log event with its number in the log stream. */
export interface NumberedLogEvent extends LogEvent {
  readonly seq: number;
}

export interface EventSink {
  write(event: NumberedLogEvent): void;
}

export type LogFields = Omit<LogEvent, "ts" | "level" | "message" | "logger">;

const lossCauses: Readonly<Record<LossReason, string>> = {
  producer_overrun: "the flow logs faster than they are read",
  thread_ended: "a thread of the flow ended before they were read",
};

export class LogHub {
  readonly #sink: EventSink;
  readonly #stream: EventStream<NumberedLogEvent>;

  constructor(sink: EventSink, limits: Limits) {
    this.#sink = sink;
    this.#stream = new EventStream("log", limits, { bytes: ({ message }) => message.length });
  }

  get subscriberCount(): number {
    return this.#stream.subscriberCount;
  }

  /** How many events were dropped because a reader was too slow. */
  get dropped(): number {
    return this.#stream.dropped;
  }

  /** Logs an event. The stream keeps it whether or not it has readers, and encodes it only for readers. */
  log(event: LogEvent): void {
    // Field by field: a spread of the object would cost as much as everything else for a line.
    const numbered: NumberedLogEvent = {
      ts: event.ts,
      seq: this.#stream.lastSeq + 1,
      level: event.level,
      message: event.message,
      logger: event.logger,
      marker: event.marker,
      flowId: event.flowId,
      routeId: event.routeId,
      stepId: event.stepId,
      runId: event.runId,
      traceId: event.traceId,
      parentRunId: event.parentRunId,
      testSessionId: event.testSessionId,
    };
    this.#stream.publish(numbered);
    this.#sink.write(numbered);
  }

  /** Logs a line of the runtime itself. */
  runtime(level: LogEvent["level"], message: string, fields: LogFields = {}): void {
    this.log({ ts: new Date().toISOString(), level, message, logger: "runtime", ...fields });
  }

  /** Reports lines of a thread that will never arrive: by a mark in the stream, and by a line with their number. */
  lost(flowId: string, reason: LossReason, count: number): void {
    if (count === 0) return;
    this.#stream.publishLoss({ flowId, reason, count });
    this.runtime("WARN", `${count} log lines were lost: ${lossCauses[reason]}`, { flowId });
  }

  /** See `EventStream.subscribe`. */
  subscribe(req: IncomingMessage, res: ServerResponse, query: StreamQuery): void {
    this.#stream.subscribe(req, res, query);
  }

  /** Ends the stream; lines still go to standard output. */
  close(): void {
    this.#stream.close();
  }
}
