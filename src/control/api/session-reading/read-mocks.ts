/** Reads `mocks`, a list or an object by step id, into the set that threads get. */
import { isFields, readOwn } from "../../../shared/document-fields.ts";
import { type Path, pointerOf } from "../../../shared/document-place.ts";
import type { Mock, MockSet, MockTarget } from "../../../shared/mock.ts";
import { misspeltAnswer } from "./read-actions.ts";
import { isStepId, mock, mockOfStep, stepNames } from "./read-mock.ts";
import type { Reading } from "./reading.ts";

export interface ReadMocks {
  readonly set: MockSet;
  /** Where each mock of the set stands: `/mocks/0`, `/mocks/to-crm/1`. */
  readonly places: readonly string[];
}

/** The most mocks that are read when there are too many, to report their other problems; each takes time. */
const mostRead = 1000;

export function readMocks(value: unknown, mostActions: number, reading: Reading): ReadMocks {
  const targets = new Targets();
  const mocks: Mock[] = [];
  const places: string[] = [];
  const entries = entriesOf(value, reading);
  if (entries.length > Math.max(mostActions, mostRead)) {
    reading.bad(["mocks"], tooMany(entries.length, mostActions));
    return { set: { targets: [], mocks: [] }, places };
  }
  for (const { item, path, stepId } of entries) {
    const read = stepId === undefined ? reading.read(mock, item, path) : readUnder(stepId, item, path, reading);
    remarkOn(item, path, reading);
    if (read === undefined) continue;
    mocks.push({ target: targets.indexOf(read.target), ...read.settings });
    places.push(pointerOf(path));
  }
  const actions = mocks.reduce((sum, mock) => sum + mock.actions.length, 0);
  if (actions > mostActions) reading.bad(["mocks"], tooMany(actions, mostActions));
  return { set: { targets: targets.all, mocks }, places };
}

function tooMany(actions: number, mostActions: number): string {
  return `${actions} answers are more than the ${mostActions} that a session may have (testSessionMocks)`;
}

function readUnder(stepId: string, item: unknown, path: Path, reading: Reading) {
  if (!isStepId(stepId)) return reading.bad(path, "a key is a step's id here");
  const settings = reading.read(mockOfStep, item, path);
  return settings && { target: { stepId }, settings };
}

/** Whether the mocks name a step, or were meant to. */
export function namesSteps(mocks: unknown): boolean {
  if (isFields(mocks)) return Object.keys(mocks).length > 0;
  const list: readonly unknown[] = Array.isArray(mocks) ? mocks : [];
  return list.some((mock) => isFields(mock) && stepNames.some((name) => Object.hasOwn(mock, name)));
}

interface Entry {
  readonly item: unknown;
  readonly path: Path;
  /** The key of the mock in an object. */
  readonly stepId?: string;
}

function entriesOf(value: unknown, reading: Reading): Entry[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((item, i) => ({ item, path: ["mocks", i] }));
  if (!isFields(value)) {
    reading.bad(["mocks"], "a list of mocks, or an object of mocks by step id, is expected");
    return [];
  }
  return Object.entries(value).flatMap(([stepId, of]): Entry[] => {
    if (!Array.isArray(of)) return [{ item: of, path: ["mocks", stepId], stepId }];
    return of.map((item, i) => ({ item, path: ["mocks", stepId, i], stepId }));
  });
}

function remarkOn(item: unknown, path: Path, reading: Reading): void {
  if (!isFields(item)) return;
  const sequence = readOwn(item, "sequence");
  const inSequence = Array.isArray(sequence) ? sequence.map((one, i) => [one, [...path, "sequence", i]] as const) : [];
  for (const [one, at] of [[item, path] as const, ...inSequence]) {
    const message = isFields(one) ? misspeltAnswer(readOwn(one, "respond")) : undefined;
    if (message !== undefined) reading.remark([...at, "respond"], message);
  }
}

/** Collects each step and each pattern once. */
class Targets {
  readonly all: MockTarget[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(target: MockTarget): number {
    const key = JSON.stringify(target);
    const index = this.#indexes.get(key) ?? this.all.push(target) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}
