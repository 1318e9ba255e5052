/** An exchange without a message, for templates and predicates that are read before a message exists. */
import type { Limits } from "../../shared/limits.ts";
import { Exchange } from "./exchange.ts";
import { Headers } from "./headers.ts";
import { Message } from "./message.ts";
import { Run } from "./run.ts";
import type { RunSink } from "./run-sink.ts";

const deaf: RunSink<Exchange> = {
  interest: 0,
  logLevel: 0,
  recordSteps: false,
  enter() {},
  log() {},
  trace() {},
  call: () => Promise.reject(new Error("a precondition calls no route")),
};

export function blankExchange(limits: Limits): Exchange {
  return new Exchange(new Run(deaf, limits, 0, 0), "", new Message(limits, new Headers(limits), null));
}
