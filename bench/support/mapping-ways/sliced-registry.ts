/**
 * In place of `workers/mappings/registry.ts`: a thread's value mappings are plain Maps, which an update fills slice by slice, with a turn of the
 * loop between two. Runs that begin meanwhile see the Maps before. A flow is adopted when its first ones are filled. Control takes an update for
 * done when the filling begins, so only callers see when it is in force.
 */
import { threadId } from "node:worker_threads";
import type { MappingData, MappingUse } from "../../../src/shared/mapping.ts";
import type { Scalar } from "../../../src/shared/mapping-models.ts";
import { normalText } from "../../../src/shared/value-table-layout.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import { type Mappings, missing, type ValueLookup } from "../../../src/workers/engine/mappings.ts";
import { probed } from "./probe.ts";
import { partsOf, type SlicedHead } from "./sliced-table.ts";

const { locks } = navigator;
type Key = Exclude<Scalar, null>;

/** Two threads of the process fill at a time: fifty at once would starve each other of the cores, and be taken for stuck. */
const lane = `fill-${threadId % 2}`;
/** What is being filled, one update after the other. */
let filling: Promise<void> = Promise.resolve();

export class MappingRegistry {
  #current: Mappings<Exchange> = snapshot(new Map());
  #values: ReadonlyMap<string, ValueLookup> = new Map();

  static async prepare(_uses: readonly MappingUse[]): Promise<void> {
    await filling;
  }

  get current(): Mappings<Exchange> {
    return this.#current;
  }

  update(changed: readonly MappingData[]): void {
    filling = filling.then(async () => {
      const values = new Map(this.#values);
      for (const { id, data } of changed) await locks.request(lane, async () => values.set(id, await filled(data)));
      this.#values = values;
      this.#current = snapshot(values);
    });
  }
}

function snapshot(values: ReadonlyMap<string, ValueLookup>): Mappings<Exchange> {
  return { value: (id) => values.get(id) ?? missing("value", id), message: (id) => missing("message", id) };
}

async function filled(data: Uint8Array): Promise<ValueLookup> {
  const parts = partsOf(data);
  const head = parts.next().value as SlicedHead;
  const there = new Map<string, Scalar>();
  const back = new Map<string, Scalar>();
  for (const part of parts) {
    const cells = part as readonly Key[];
    for (let at = 0; at < cells.length; at += 2) {
      const [a, b] = [cells[at] as Key, cells[at + 1] as Key];
      there.set(normalText(a, head), b);
      if (!head.oneWay) back.set(normalText(b, head), a);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  const [first] = head.columns;
  const lookup: ValueLookup = {
    lookup(from, _to, value) {
      const found = (from === undefined || from === first ? there : back).get(normalText(value as Key, head));
      if (found === undefined) throw new Error(`the mapping does not have ${String(value)}`);
      return found;
    },
  };
  return probed(lookup, head.rows);
}
