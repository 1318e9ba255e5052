/**
 * Turns a source's messages into runs of its route: one announced run per message, within the source's credits and the
 * thread's room.
 */

import type { Limits } from "../../shared/limits.ts";
import { type Turn, Withdrawn } from "../engine/attended/turn.ts";
import { exceptionMessage, NotKept } from "../engine/exception.ts";
import { Exchange } from "../engine/exchange.ts";
import type { FlowScope } from "../engine/flow-scope.ts";
import { Headers } from "../engine/headers.ts";
import { ownCopies } from "../engine/in-place.ts";
import { Message } from "../engine/message.ts";
import { placeIn } from "../engine/place-in.ts";
import type { Processor } from "../engine/processor.ts";
import type { Run } from "../engine/run.ts";
import type { NewMessage, Offer, Settled, SourceMessage } from "../engine/source.ts";
import type { OverdueMessages } from "./overdue-messages.ts";
import type { SourceFigures } from "./source-figures.ts";

interface SourceRoute {
  readonly routeId: string;
  /** The endpoint in normal form. */
  readonly uri: string;
  readonly scope: FlowScope;
  /** The processor for an exchange that begins with the route. */
  readonly process: Processor;
  readonly figures: Pick<SourceFigures, "add" | "moment">;
  readonly overdue: Pick<OverdueMessages, "watch">;
}

/** `credits`: as of `Source`. */
export function offerTo(route: SourceRoute, credits: number): Offer {
  const { scope, figures } = route;
  const waiting: (() => void)[] = [];
  let taken = 0;
  const change = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const offer = async (message: SourceMessage): Promise<Settled> => {
    // Checked and taken without a wait in between, since several offers may wait for the same credit.
    while (taken >= credits) await change();
    taken += 1;
    figures.add("underWay");
    // Otherwise the source itself has failed, or the message was there before.
    if (!("failed" in message)) figures.moment("lastMessage", Date.now());
    try {
      const end = await settled(message, route);
      figures.add(end.outcome);
      return end;
    } finally {
      taken -= 1;
      figures.add("underWay", -1);
      for (const look of waiting.splice(0)) look();
    }
  };
  const ready = async (): Promise<void> => {
    while (taken >= credits) await change();
    await scope.room();
  };
  return Object.defineProperty(Object.assign(offer, { ready, free: 0 }), "free", {
    get: () => Math.max(0, credits - taken),
  });
}

async function settled(
  message: SourceMessage,
  { scope, uri, routeId, process, overdue }: SourceRoute,
): Promise<Settled> {
  let exchange: Exchange | undefined;
  let isOver = (): void => {};
  const { unreadable, turn, traceparent }: Partial<NewMessage> = "place" in message ? {} : message;
  const work = {
    cause: "source",
    uri,
    traceparent,
    exchange(run: Run<Exchange>): Exchange {
      const made = exchangeOf(message, run, scope, routeId);
      // Again for a run that begins anew.
      isOver();
      if (!("place" in message)) isOver = overdue.watch(message.giveBack);
      if (exchange === undefined && !("place" in message)) {
        run.transaction = message.transaction;
        run.turn = message.turn;
        message.turn?.watch(() => run.withdraw(new Withdrawn().message, true));
      }
      exchange ??= made;
      return made;
    },
    process: inTurn(turn, unreadable === undefined ? process : () => Promise.reject(unreadable.error)),
    get keeps() {
      return message.keeps !== false && exchange?.run.withdrawn !== true;
    },
    headOnly: unreadable && exceptionMessage(unreadable.error),
  } as const;
  try {
    const place = "place" in message ? message.place : await placeIn(scope, undefined);
    return { outcome: "done", exchange: await scope.begin(place, work) };
  } catch (error) {
    if (exchange?.run.withdrawn === true) return { outcome: "lost", error: new Withdrawn() };
    if (exchange === undefined || error instanceof NotKept) return { outcome: "lost", error };
    exchange.exception = error;
    return { outcome: "failed", exchange, error };
  } finally {
    isOver();
  }
}

/** A run whose turn has not come waits. One that must not begin any more is withdrawn. */
function inTurn(turn: Turn | undefined, process: Processor): Processor {
  if (turn === undefined) return process;
  const withdrawn = (exchange: Exchange, error: unknown): never => {
    throw error instanceof Withdrawn ? exchange.run.withdraw(error.message, false) : error;
  };
  return (exchange) => {
    try {
      const pending = turn.begin();
      return pending === undefined
        ? process(exchange)
        : pending.then(
            () => process(exchange),
            (error: unknown) => withdrawn(exchange, error),
          );
    } catch (error) {
      withdrawn(exchange, error);
    }
  };
}

function exchangeOf(message: SourceMessage, run: Run<Exchange>, { limits }: FlowScope, routeId: string): Exchange {
  return "place" in message ? message.exchange.copy(run, routeId) : newExchange(message, run, limits, routeId);
}

/** Makes the exchange of a message that came from outside the thread. */
export function newExchange(message: NewMessage, run: Run<Exchange>, limits: Limits, routeId: string): Exchange {
  // The message may begin another run, when this one has failed.
  const own = ownCopies() ?? ((value: unknown) => value);
  const headers = new Headers(limits);
  for (const [name, value] of message.headers ?? []) headers.receive(name, own(value));
  const exchange = new Exchange(run, routeId, new Message(limits, headers, own(message.body)));
  run.traceparent ??= message.traceparent;
  for (const [name, value] of message.properties ?? []) exchange.properties.set(name, own(value));
  exchange.sourceFailure = message.failed;
  exchange.pattern = message.pattern ?? exchange.pattern;
  return exchange;
}
