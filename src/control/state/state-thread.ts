/**
 * Thread entry of the state store: SQLite for all groups. Groups take turns, a slice each, so that what one of them has to do does not hold
 * up the others for longer than a slice. Requests of a group keep their order.
 */
import { parentPort, workerData } from "node:worker_threads";
import { Group } from "./group.ts";
import { KeptRoom } from "./kept-room.ts";
import type { StateFailure } from "./operations.ts";
import {
  type AnswerKind,
  type Answers,
  closing,
  copying,
  type NewsKind,
  type Request,
  readRequests,
  type StateThreadData,
} from "./wire.ts";
import { WorkLog } from "./work-report.ts";

/** The most files that are open at once; the one that was not used for longest is closed then. */
const mostOpen = 64;

const { directory, mostKeys, mostBytes, ...given } = workerData as StateThreadData;
/** In the order of their last turns. */
const groups = new Map<string, Group>();
/** Those that have something to do, in the order of their turns. */
const busy: Group[] = [];
/** Copies under way. */
const copies = new Set<Promise<void>>();
const log = new WorkLog();
const room = new KeptRoom(directory);
const reportMs = 1000;
let reported = 0;
let reporting: NodeJS.Timeout | undefined;
let answers: Answers = [];
let scheduled = false;

function groupOf(name: string): Group {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group = new Group({
    name,
    directory,
    bounds: { mostKeys, mostBytes },
    ...given,
    answer: (id, kind, value) => push(id, kind, value),
    log,
    room,
    news: (kind, message, owners) => push(0, kind, { group: name, message, owners }),
  });
  groups.set(name, group);
  return group;
}

function push(id: number, kind: AnswerKind | NewsKind, value: unknown): void {
  answers.push(id, kind, value);
}

/** Reports the work of the last second, once it is over. */
function report(): void {
  reporting = undefined;
  if (log.isEmpty) return;
  reported = performance.now();
  answers.push(0, "worked", log.take());
  send();
}

function send(): void {
  if (answers.length === 0) return;
  const sent = answers;
  answers = [];
  parentPort?.postMessage(sent);
}

/** Messages that have arrived are read between two turns. */
function turn(): void {
  scheduled = false;
  const group = busy.shift();
  if (group === undefined) return;
  makeRoom(group);
  group.work();
  if (group.busy) busy.push(group);
  if (reporting === undefined && !log.isEmpty) {
    reporting = setTimeout(report, Math.max(0, reported + reportMs - performance.now()));
  }
  send();
  schedule();
}

function schedule(): void {
  if (scheduled || busy.length === 0) return;
  scheduled = true;
  setImmediate(turn);
}

/** Notes that it is this group's turn, and closes another one's file if too many are open. */
function makeRoom(group: Group): void {
  groups.delete(group.name);
  groups.set(group.name, group);
  if (group.isOpen) return;
  const open = [...groups.values()].filter((one) => one.isOpen && !one.isCopied);
  if (open.length >= mostOpen) open[0]?.close();
}

async function copy({ id, args }: Request, group: Group): Promise<void> {
  makeRoom(group);
  await group.copy(String(args[0])).then(
    () => push(id, "", undefined),
    ({ code, message }: StateFailure) => push(id, code, message),
  );
  send();
  // What was removed meanwhile leaves the file now.
  if (group.busy && !busy.includes(group)) busy.push(group);
  schedule();
}

/** Works off what has been asked, closes the files, and ends. */
async function close(): Promise<void> {
  await Promise.all(copies);
  while (busy.length > 0) {
    const group = busy.shift() as Group;
    while (group.busy) group.work();
  }
  for (const group of groups.values()) group.close();
  clearTimeout(reporting);
  report();
  send();
  parentPort?.close();
}

parentPort?.on("message", (message: unknown) => {
  if (message === closing) {
    void close();
    return;
  }
  for (const request of readRequests(message as unknown[])) {
    const group = groupOf(request.group);
    if (request.operation === copying) {
      const copied = copy(request, group).finally(() => copies.delete(copied));
      copies.add(copied);
      continue;
    }
    if (!group.busy) busy.push(group);
    group.add(request);
  }
  schedule();
});
