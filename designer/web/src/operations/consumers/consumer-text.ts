/** A consumer in a few words, for the drawing and the table. */
import type { Schemas } from "../../api/runtime.ts";
import { words } from "../../words.ts";

export type Consumer = NonNullable<Schemas["Health"]["consumers"]>[number];

const { consumers: texts } = words.operations;

/** A queue in memory that is empty has nothing to show. */
export function isWorthShowing({ scheme, state, backlog, underWay }: Consumer): boolean {
  return scheme !== "seda" || state === "stopped" || (backlog ?? 0) + underWay > 0;
}

export function consumerText(consumer: Consumer): string {
  const { state, failingSince, attempts, underWay, overdue, redelivered, backlog } = consumer;
  const parts =
    state === "backing_off" && failingSince !== null
      ? [texts.failing(failingSince, attempts)]
      : [texts.states[state], ...(underWay > 0 ? [texts.underWay(underWay)] : [])];
  if (backlog !== null && backlog > 0) parts.push(texts.waits(backlog));
  if (redelivered > 0) parts.push(texts.cameAgain(redelivered));
  if (overdue > 0) parts.push(texts.overdue(overdue));
  return parts.join(" · ");
}

/** Its last error and its times, as far as there are some. */
export function consumerTitle({ state, overdue, lastError, lastMessageAt, lastPoll, nextPoll }: Consumer): string {
  const lines = [
    ...(overdue > 0 ? [texts.overdueText] : []),
    ...(state === "backing_off" && lastError !== null ? [lastError.message] : []),
    ...(lastMessageAt === null ? [] : [`${texts.lastMessage}: ${texts.time(lastMessageAt)}`]),
    ...(lastPoll === null ? [] : [`${texts.lastPoll}: ${texts.time(lastPoll)}`]),
    ...(nextPoll === null ? [] : [`${texts.nextPoll}: ${texts.time(nextPoll)}`]),
  ];
  return lines.join("\n");
}
