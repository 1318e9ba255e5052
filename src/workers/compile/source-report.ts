/** Takes what a source reports of itself: figures for whoever asks, a line in the log, and a frame when it begins to fail. */
import { exceptionMessage } from "../engine/exception.ts";
import type { AnnouncePort } from "../engine/flow-scope.ts";
import type { Source, SourceReport } from "../engine/source.ts";
import type { SourceFigures } from "./source-figures.ts";

export interface ReportingSource {
  readonly routeId: string;
  readonly routeIndex: number;
  readonly scheme: string;
  readonly figures: SourceFigures;
  readonly port: Pick<AnnouncePort, "log" | "source">;
}

/** `begin`: the source is started. What it reported before holds no longer. */
export function sourceReport({ routeId, routeIndex, scheme, figures, port }: ReportingSource): SourceReport & {
  begin(): void;
} {
  /** The failure that was reported last; "": it works. */
  let problem = "";
  let attempts = 0;
  const ended = (nextInMs: number | undefined): void => {
    figures.set("polling", 0);
    figures.moment("nextPoll", nextInMs === undefined ? undefined : Date.now() + nextInMs);
  };
  const works = (): void => {
    attempts = 0;
    problem = "";
    figures.set("attempts", 0);
    port.source(routeIndex, "");
  };
  return {
    begin() {
      if (attempts > 0) works();
    },
    polls() {
      figures.add("polls");
      figures.set("polling", 1);
      figures.moment("lastPoll", Date.now());
      figures.moment("nextPoll", undefined);
    },
    polled(nextInMs) {
      ended(nextInMs);
      if (attempts === 0) return;
      works();
      port.log("INFO", scheme, `'${routeId}' can poll again`);
    },
    failed(error, nextInMs) {
      ended(nextInMs);
      figures.add("pollFailures");
      attempts += 1;
      figures.set("attempts", attempts);
      const now = exceptionMessage(error);
      // Reported once, not at every poll.
      if (attempts > 1 && now === problem) return;
      problem = now;
      port.log("WARN", scheme, `'${routeId}' cannot poll: ${now}`);
      port.source(routeIndex, now);
    },
    redelivered: () => figures.add("redelivered"),
    backlog: (messages) => figures.set("backlog", messages === undefined ? 0 : messages + 1),
  };
}

/** The source, with its starts and ends in the figures. `begin`: called ahead of each start. */
export function startedIn(figures: SourceFigures, source: Source, begin: () => void): Source {
  return {
    credits: source.credits,
    start(offer) {
      begin();
      figures.set("started", 1);
      source.start(offer);
    },
    pause() {
      figures.set("started", 0);
      source.pause();
    },
    stop() {
      figures.set("started", 0);
      return source.stop();
    },
    ...(source.peek !== undefined && { peek: (limit) => source.peek?.(limit) ?? Promise.resolve([]) }),
  };
}
