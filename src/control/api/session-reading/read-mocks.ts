/** `mocks`: a list, or an object by step id; of both the set that threads are given. */
import type { Mock, MockSet } from "../../../shared/mock.ts";
import { readMock, stepNames } from "./read-mock.ts";
import { isFields, type Reading, within } from "./reading.ts";
import { Targets } from "./targets.ts";

export interface ReadMocks {
  readonly set: MockSet;
  /** Where each mock of the set stands: `mocks[0]`, `mocks.to-crm[1]`. */
  readonly places: readonly string[];
}

export function readMocks(value: unknown, mostActions: number, reading: Reading): ReadMocks {
  const targets = new Targets();
  const mocks: Mock[] = [];
  const places: string[] = [];
  for (const { item, place, stepId } of entriesOf(value, reading)) {
    const mock = readMock(item, place, stepId, targets, reading);
    if (mock === undefined) continue;
    mocks.push(mock);
    places.push(place);
  }
  const actions = mocks.reduce((sum, mock) => sum + mock.actions.length, 0);
  if (actions > mostActions) {
    reading.bad(
      "mocks",
      `${actions} answers are more than the ${mostActions} that a session may have (testSessionMocks)`,
    );
  }
  return { set: { targets: targets.all, mocks }, places };
}

/** Whether they name a step, or were meant to. */
export function namesSteps(mocks: unknown): boolean {
  if (isFields(mocks)) return Object.keys(mocks).length > 0;
  const list: readonly unknown[] = Array.isArray(mocks) ? mocks : [];
  return list.some((mock) => isFields(mock) && stepNames.some((name) => Object.hasOwn(mock, name)));
}

interface Entry {
  readonly item: unknown;
  readonly place: string;
  /** The key that it stands under. */
  readonly stepId?: string;
}

function entriesOf(value: unknown, reading: Reading): Entry[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((item, i) => ({ item, place: within("mocks", i) }));
  if (!isFields(value)) {
    reading.bad("mocks", "a list of mocks, or an object of mocks by step id, is expected");
    return [];
  }
  return Object.entries(value).flatMap(([stepId, of]): Entry[] => {
    const place = within("mocks", stepId);
    if (!Array.isArray(of)) return [{ item: of, place, stepId }];
    return of.map((item, i) => ({ item, place: within(place, i), stepId }));
  });
}
