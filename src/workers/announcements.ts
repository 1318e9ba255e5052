/** Announces the runs that begin in this thread to control, which opens them and sends them back to be run. */

import { ToControl } from "../shared/frames-to-control.ts";
import type { Limits } from "../shared/limits.ts";
import { type Level, levels } from "../shared/protocol.ts";
import { shownText } from "../shared/redact.ts";
import { FlowException, limitExceeded, NotKept } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import type { AnnouncedWork, AnnouncePort, Held } from "./engine/flow-scope.ts";
import type { Mappings } from "./engine/mappings.ts";
import type { Line } from "./line.ts";

const mostUri = 1000;
/** The most characters of why a source fails. */
const mostFailure = 1000;

export class Announcements implements AnnouncePort {
  readonly #line: Line;
  readonly #limits: Limits;
  readonly #onEmpty: () => void;
  /** Places by token: a number below `limits.announcedRuns`, which is free again when the run is over. */
  readonly #places: (Place | undefined)[] = [];
  readonly #free: number[] = [];
  #taken = 0;
  #waiting: (() => void)[] = [];

  constructor(line: Line, limits: Limits, onEmpty: () => void) {
    this.#line = line;
    this.#limits = limits;
    this.#onEmpty = onEmpty;
  }

  /** Announced runs that wait or are under way. */
  get taken(): number {
    return this.#taken;
  }

  hold(parent: Exchange | undefined): Place {
    const { announcedRuns, directDepth } = this.#limits;
    if (parent !== undefined && parent.run.hops + parent.depth >= directDepth) {
      throw limitExceeded("directDepth", `runs that cause each other nest at most ${directDepth} deep`);
    }
    if (this.#taken >= announcedRuns) {
      const message = `${announcedRuns} messages of this thread wait for runs of their own or are in one (limit announcedRuns)`;
      throw new FlowException("java.util.concurrent.RejectedExecutionException", message);
    }
    const cause = parent === undefined || parent.run.over ? undefined : parent.run;
    const place = new Place(this.#free.pop() ?? this.#places.length, cause?.mappings, (token) => {
      this.#line.outbox.open().push(ToControl.withdraw, token);
      this.#leave(token);
    });
    this.#places[place.token] = place;
    this.#taken += 1;
    this.#line.outbox.open().push(ToControl.announce, place.token, cause?.slot ?? -1);
    return place;
  }

  begin(held: Held, routeIndex: number, work: AnnouncedWork): Promise<Exchange> {
    const place = held as Place;
    const ended = place.begin(work);
    const uri = this.#line.mask(work.uri, mostUri);
    this.#line.outbox.open().push(ToControl.begin, place.token, routeIndex, work.cause, uri, work.traceparent ?? "");
    return ended;
  }

  async room(): Promise<void> {
    while (this.#taken >= this.#limits.announcedRuns) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  log(level: Level, logger: string, message: string): void {
    const { mask } = this.#line;
    this.#line.log(-1, -1, levels.indexOf(level), mask(logger), shownText(message, mask, this.#limits.eventBytes));
  }

  source(routeIndex: number, failure: string): void {
    const shown = this.#line.mask(failure, mostFailure);
    this.#line.outbox.open().push(ToControl.source, routeIndex, failure === "" ? "" : shown);
  }

  /** Returns the run that control has opened for this token. */
  opened(token: number): OpenedRun {
    const place = this.#places[token];
    if (place?.work === undefined) throw new Error(`nothing was announced as ${token}`);
    return {
      work: place.work,
      mappings: place.mappings,
      end: (exchange, stores) => place.settle(stores, () => this.#leave(token), exchange),
      fail: (error, stores) => place.settle(stores, () => this.#leave(token), undefined, error),
    };
  }

  /** The message of the run that had this token is durable, or could not be kept. */
  stored(token: number, problem: string): void {
    this.#places[token]?.stored(problem);
  }

  refused(token: number, reason: string): void {
    const place = this.#places[token];
    this.#leave(token);
    place?.reject(
      new FlowException("java.util.concurrent.RejectedExecutionException", `the run did not begin: ${reason}`),
    );
  }

  #leave(token: number): void {
    if (this.#places[token] === undefined) return;
    this.#places[token] = undefined;
    this.#free.push(token);
    this.#taken -= 1;
    for (const look of this.#waiting.splice(0)) look();
    if (this.#taken === 0) this.#onEmpty();
  }
}

/** An announced run for the run table, which calls exactly one of `end` and `fail`. */
export interface OpenedRun {
  readonly work: AnnouncedWork;
  /** The mappings of the run that announced it; undefined if no run did, or it is over. */
  readonly mappings: Mappings<Exchange> | undefined;
  /** `stores`: the run's message is being kept, and whoever waits is notified when it is durable. */
  end(exchange: Exchange, stores: boolean): void;
  fail(error: unknown, stores: boolean): void;
}

class Place implements Held {
  readonly token: number;
  readonly mappings: Mappings<Exchange> | undefined;
  work: AnnouncedWork | undefined;
  resolve: (exchange: Exchange) => void = () => {};
  reject: (error: unknown) => void = () => {};
  readonly #withdraw: (token: number) => void;
  #gone = false;
  /** Present: the run is over, and its message is being kept. */
  #stored: ((problem: string) => void) | undefined;

  constructor(token: number, mappings: Mappings<Exchange> | undefined, withdraw: (token: number) => void) {
    this.token = token;
    this.mappings = mappings;
    this.#withdraw = withdraw;
  }

  begin(work: AnnouncedWork): Promise<Exchange> {
    this.work = work;
    const ended = new Promise<Exchange>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // The promise need not be awaited: the run's record has the failure.
    ended.catch(() => {});
    return ended;
  }

  /** Notifies whoever waits for the run: now, or when its message is durable. */
  settle(stores: boolean, leave: () => void, exchange: Exchange | undefined, error?: unknown): void {
    this.#stored = (problem) => {
      this.#stored = undefined;
      leave();
      if (problem !== "") this.reject(new NotKept(problem));
      else if (exchange !== undefined) this.resolve(exchange);
      else this.reject(error);
    };
    if (!stores) this.#stored("");
  }

  stored(problem: string): void {
    this.#stored?.(problem);
  }

  withdraw(): void {
    if (this.work !== undefined || this.#gone) return;
    this.#gone = true;
    this.#withdraw(this.token);
  }
}
