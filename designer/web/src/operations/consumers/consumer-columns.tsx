/** The columns of the table of consumers. */
import { hashOf } from "../../app/hash.ts";
import { Chip } from "../../ui/chip.tsx";
import type { Column } from "../../ui/table.tsx";
import { words } from "../../words.ts";
import type { Consumer } from "./consumer-text.ts";
import { peekColumn } from "./peek-column.tsx";

const { consumers: texts } = words.operations;
const tones = {
  stopped: "plain",
  waiting: "good",
  polling: "good",
  running: "accent",
  backing_off: "bad",
  unknown: "plain",
} as const;

/** `target`: the name of the runtime; `mayPeek`: whether there is a way to a consumer's next messages. */
export function consumerColumns(target: string, mayPeek: boolean): readonly Column<Consumer>[] {
  return [...heads, ...(mayPeek ? [peekColumn(target)] : []), ...figures];
}

const heads: readonly Column<Consumer>[] = [
  {
    id: "flow",
    title: words.runs.flow,
    sortBy: ({ flowId }) => flowId,
    cell: ({ flowId }) => <a href={hashOf(["flows", flowId])}>{flowId}</a>,
  },
  {
    id: "route",
    title: words.runs.route,
    sortBy: ({ routeId }) => routeId,
    cell: ({ routeId, uri }) => <span title={uri}>{routeId}</span>,
  },
  { id: "scheme", title: texts.scheme, wideOnly: true, sortBy: ({ scheme }) => scheme, cell: ({ scheme }) => scheme },
  {
    id: "state",
    title: texts.state,
    sortBy: ({ state }) => state,
    cell: ({ state, failingSince, attempts, lastError }) => (
      <span className="consumer-state">
        <Chip tone={tones[state]}>{texts.states[state]}</Chip>
        {failingSince !== null && <span className="faint">{texts.failing(failingSince, attempts)}</span>}
        {failingSince !== null && lastError !== null && <span className="consumer-error">{lastError.message}</span>}
      </span>
    ),
  },
];

const figures: readonly Column<Consumer>[] = [
  {
    id: "polls",
    title: texts.polled,
    wideOnly: true,
    sortBy: ({ lastPoll }) => lastPoll ?? "",
    cell: ({ lastPoll, nextPoll, polls, pollFailures }) =>
      lastPoll === null ? (
        <span className="faint">{texts.neverPolls}</span>
      ) : (
        <>
          {texts.time(lastPoll)} {nextPoll !== null && <span className="faint">{texts.next(nextPoll)}</span>}{" "}
          <span className="faint">{texts.polls(polls, pollFailures)}</span>
        </>
      ),
  },
  {
    id: "backlog",
    title: texts.backlog,
    numeric: true,
    sortBy: ({ backlog }) => backlog ?? -1,
    cell: ({ backlog }) => backlog ?? <span title={texts.unknownText}>{texts.unknown}</span>,
  },
  {
    id: "underWay",
    title: texts.running,
    numeric: true,
    sortBy: ({ underWay }) => underWay,
    cell: ({ underWay, overdue }) => (
      <span title={overdue > 0 ? texts.overdueText : texts.runningText}>
        {underWay} {overdue > 0 && <span className="consumer-error">{texts.overdue(overdue)}</span>}
      </span>
    ),
  },
  {
    id: "redelivered",
    title: texts.redelivered,
    numeric: true,
    sortBy: ({ redelivered }) => redelivered,
    cell: ({ redelivered }) => <span title={texts.redeliveredText}>{redelivered}</span>,
  },
  {
    id: "messages",
    title: texts.messages,
    numeric: true,
    sortBy: ({ done }) => done,
    cell: ({ done, failed, lost }) => (
      <span title={texts.messagesText(done, failed, lost)}>
        {done} / {failed} / {lost}
      </span>
    ),
  },
];
