/** Reads the query of a stream's URL: which events a subscriber wants, how much of them, and from where on. */
import { AppError } from "../../shared/errors.ts";
import { wildcard } from "../../shared/ids.ts";
import { levels, traceTypes } from "../../shared/protocol.ts";
import type { TraceType } from "../../shared/trace-event.ts";

export const eventIdPattern = "^([\\s\\S]+)-([0-9]{1,15})$";
const eventId = new RegExp(eventIdPattern);

export type StreamName = "trace" | "log";

/** A parsed query string; a repeated name has a list. */
export type StreamQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

export type BodyWanted = "none" | "preview" | "full";

export interface Subscription {
  readonly matches: Predicate;
  /**
   * Whether lost events of a thread may have been among the wanted ones: of lost events only the flow is known.
   */
  readonly mayMiss: (loss: { readonly flowId: string }) => boolean;
  readonly body: BodyWanted;
  /** How many matching past events to begin with. */
  readonly replay: number;
  readonly lastSeen: EventId | undefined;
}

/** The contract's kinds (docs/api.md 6), those of mocks and redelivery included. */
const known: Record<TraceType, true> = {
  "run.started": true,
  "run.restarted": true,
  "run.completed": true,
  "run.failed": true,
  "run.killed": true,
  "run.shed": true,
  "step.started": true,
  "step.completed": true,
  "step.failed": true,
  "step.mocked": true,
  "branch.taken": true,
  "retry.scheduled": true,
  "failure.handled": true,
  "deploy.completed": true,
  "deploy.failed": true,
  "flow.quarantined": true,
};
const types = Object.keys(known) as TraceType[];
const statuses = ["running", "completed", "failed", "timeout", "killed", "shed", "cancelled"];
const bodies = ["none", "preview", "full"] as const;
/** The patterns of the values that parameters accept. */
export const streamPatterns = {
  level: `^(?:${levels
    .filter((level) => level !== "OFF")
    .map((level) => [...level].map((letter) => `[${letter}${letter.toLowerCase()}]`).join(""))
    .join("|")})$`,
  sample: "^(?:0?[.](?=[0-9]*[1-9])[0-9]{1,20}|1(?:[.]0{1,20})?)$",
  replay: "^[0-9]{1,9}$",
  lastEventId: eventIdPattern,
} as const;
export const streamWords = { type: types, status: statuses, body: bodies } as const;

const isLevel = new RegExp(streamPatterns.level);
const isShare = new RegExp(streamPatterns.sample);
const isCount = new RegExp(streamPatterns.replay);
const leastLevels = levels.filter((level) => level !== "OFF");

const common = ["flowId", "routeId", "runId", "stepId", "sample", "session", "replay", "lastEventId"];
const names: Readonly<Record<StreamName, readonly string[]>> = {
  trace: [...common, "type", "status", "body"],
  log: [...common, "level"],
};

/** `lastEventId`: the header `Last-Event-ID`, which takes precedence over the query. Throws AppError `bad_query`. */
export function parseSubscription(
  stream: StreamName,
  query: StreamQuery,
  lastEventId: string | undefined,
): Subscription {
  const given = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (!names[stream].includes(name)) {
      throw badQuery(
        `the ${stream} stream has no query parameter '${shorten(name)}'; it has ${names[stream].join(", ")}`,
      );
    }
    const values = typeof value === "string" ? [value] : value;
    if (values.includes("")) throw badQuery(`'${name}' is empty`);
    if (values.length > 0) given.set(name, values);
  }

  const predicates: Predicate[] = [];
  for (const name of ["flowId", "routeId", "runId", "stepId"] as const) {
    const values = given.get(name);
    if (values !== undefined) predicates.push(oneOf(name, values));
  }
  const sessions = given.get("session");
  if (sessions !== undefined) predicates.push(oneOf("testSessionId", sessions));
  for (const [name, words] of [["type", types] as const, ["status", statuses] as const]) {
    const values = given.get(name);
    if (values === undefined) continue;
    for (const value of values) {
      if (!words.some((word) => wildcard(value, word))) {
        throw badQuery(`'${name}' is one of ${words.join(", ")} (or several with '*'), not '${shorten(value)}'`);
      }
    }
    predicates.push(oneOf(name, values));
  }
  const level = given.get("level");
  if (level !== undefined) predicates.push(atLeast(Math.min(...level.map(levelOf))));
  const sample = singleValue(given, "sample");
  if (sample !== undefined) predicates.push(sampleOfRuns(shareOf(sample)));

  const flows = given.get("flowId");
  const ofFlow = flows === undefined ? undefined : oneOf("flowId", flows);
  const ofThreads =
    !given.has("status") &&
    (given.get("type") ?? ["*"]).some((type) => traceTypes.some((made) => wildcard(type, made)));

  return {
    mayMiss: (loss) => ofThreads && (ofFlow === undefined || ofFlow(loss)),
    matches: predicates.length === 0 ? () => true : (event) => predicates.every((predicate) => predicate(event)),
    body: bodyOf(singleValue(given, "body") ?? "none"),
    replay: countOf(singleValue(given, "replay") ?? "0"),
    lastSeen: lastSeenOf(singleValue(given, "lastEventId"), lastEventId),
  };
}

function singleValue(given: ReadonlyMap<string, readonly string[]>, name: string): string | undefined {
  const values = given.get(name);
  if (values !== undefined && values.length > 1) throw badQuery(`'${name}' may be given only once`);
  return values?.[0];
}

function levelOf(text: string): number {
  if (!isLevel.test(text))
    throw badQuery(`'level' is one of ${leastLevels.join(", ").toLowerCase()}, not '${shorten(text)}'`);
  return leastLevels.findIndex((level) => level.toLowerCase() === text.toLowerCase());
}

function shareOf(text: string): number {
  if (isShare.test(text)) return Number(text);
  throw badQuery(`'sample' is a share of the runs, above 0 and up to 1, not '${shorten(text)}'`);
}

function bodyOf(text: string): BodyWanted {
  const body = bodies.find((one) => one === text);
  if (body === undefined) throw badQuery(`'body' is one of ${bodies.join(", ")}, not '${shorten(text)}'`);
  return body;
}

/** A count above what the ring holds is no error: it yields what there is. */
function countOf(text: string): number {
  if (!isCount.test(text)) throw badQuery(`'replay' is a number of events, not '${shorten(text)}'`);
  return Number(text);
}

/** A header of another form comes from a browser, which cannot change it: it counts as another epoch. */
function lastSeenOf(query: string | undefined, header: string | undefined): EventId | undefined {
  const seen = query === undefined ? undefined : parseEventId(query);
  if (query !== undefined && seen === undefined) {
    throw badQuery(`'lastEventId' is the id of an event, <epoch>-<number>, not '${shorten(query)}'`);
  }
  if (header === undefined || header === "") return seen;
  return parseEventId(header) ?? { epoch: "", seq: 0 };
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function badQuery(message: string): AppError {
  return new AppError("bad_query", message);
}

/** The fields that filters look at: trace events and log events both have this shape. */
export interface Watchable {
  readonly flowId?: string | undefined;
  readonly routeId?: string | undefined;
  readonly runId?: string | undefined;
  readonly stepId?: string | undefined;
  readonly testSessionId?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly level?: string | undefined;
}

export type Predicate = (event: Watchable) => boolean;

/** True for events whose `field` is one of the values; an event without the field does not match. */
export function oneOf(field: keyof Watchable, values: readonly string[]): Predicate {
  const exact = new Set(values.filter((value) => !value.includes("*")));
  const patterns = values.filter((value) => value.includes("*"));
  return (event) => {
    const value = event[field];
    if (value === undefined) return false;
    return exact.has(value) || patterns.some((pattern) => wildcard(pattern, value));
  };
}

/** Matches events of a level of at least `least`, an index into `levels`. */
export function atLeast(least: number): Predicate {
  const accepted = new Set<string>(levels.slice(least));
  return (event) => event.level !== undefined && accepted.has(event.level);
}

/** True for all events of about `share` of the runs, the same runs each time, and for events that belong to no run. */
export function sampleOfRuns(share: number): Predicate {
  const below = share * 2 ** 32;
  return (event) => event.runId === undefined || hash(event.runId) < below;
}

/** FNV-1a over the characters, then MurmurHash3's finalizer: run ids hardly differ in their first characters. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The place of an event: the epoch of the stream that it belongs to, and its number in it. */
export interface EventId {
  readonly epoch: string;
  readonly seq: number;
}

/** Reads `<epoch>-<seq>`; undefined when the text is not of that form. */
export function parseEventId(text: string): EventId | undefined {
  const [, epoch, digits] = eventId.exec(text) ?? [];
  return epoch === undefined || digits === undefined ? undefined : { epoch, seq: Number(digits) };
}
