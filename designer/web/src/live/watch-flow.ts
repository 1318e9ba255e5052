/** A flow that is watched: its events become counts, marks of the canvas and tails, drawn a few times a second. */
import type { LogEvent, TraceEvent } from "../../../../src/client/event-stream.ts";
import type { Batch, Connection } from "../api/streams/event-streams.ts";
import { followStream } from "../api/streams/follow.ts";
import { noMarks } from "../editor/session/marks.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { stepKeys } from "../runs/step-keys.ts";
import { createStore } from "../ui/store.ts";
import { StepCounters } from "./counters.ts";
import { FollowedRun } from "./followed-run.ts";
import { markCounts, markRun } from "./live-marks.ts";
import { Tail } from "./tail.ts";

/** How often the page is drawn, whatever comes. */
const drawEveryMs = 250;
/** Lines of a tail. */
const mostLines = 1000;

export interface Line<E> {
  /** Counts up. */
  readonly number: number;
  readonly event: E;
}

export type Shown = "counts" | "run";

export class FlowWatch {
  readonly #flowId: string;
  #drawing: EditorSession | undefined;
  readonly counters = new StepCounters();
  readonly run = new FollowedRun();
  readonly trace = new Tail<Line<TraceEvent>>(mostLines);
  readonly log = new Tail<Line<LogEvent>>(mostLines);
  /** Counts up with each drawing. */
  readonly drawn = createStore(0);
  readonly connection = createStore<Connection>({ kind: "connecting" });
  #shown: Shown = "counts";
  #lines = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(flowId: string) {
    this.#flowId = flowId;
  }

  /** `drawing`: whose nodes show what is counted. */
  drawOn(drawing: EditorSession | undefined): void {
    this.#drawing?.marks.set(noMarks);
    this.#drawing = drawing;
    this.draw();
  }

  /** @returns ends it, and clears the canvas */
  start(target: string): () => void {
    const flowId = this.#flowId;
    const ends = [
      followStream(
        { kind: "trace", target, flowId },
        {
          onBatch: (batch) => {
            this.counters.take(batch.events);
            this.run.take(batch.events);
            this.#take(this.trace, batch);
          },
          onConnection: (connection) => this.connection.set(connection),
        },
      ),
      followStream({ kind: "log", target, flowId }, { onBatch: (batch) => this.#take(this.log, batch) }),
    ];
    return () => {
      for (const end of ends) end();
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#drawing?.marks.set(noMarks);
    };
  }

  show(shown: Shown): void {
    this.#shown = shown;
    this.draw();
  }

  clear(): void {
    this.counters.clear();
    this.run.clear();
    this.trace.clear();
    this.log.clear();
    this.draw();
  }

  draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#drawing !== undefined) {
      const keys = stepKeys(this.#drawing.get());
      this.#drawing.marks.set(this.#shown === "run" ? markRun(keys, this.run) : markCounts(keys, this.counters));
    }
    this.drawn.set((count) => count + 1);
  }

  #take<E>(tail: Tail<Line<E>>, { events, dropped }: Batch<E>): void {
    tail.take(
      events.map((event) => {
        this.#lines += 1;
        return { number: this.#lines, event };
      }),
      dropped,
    );
    this.#timer ??= setTimeout(() => this.draw(), drawEveryMs);
  }
}
