/** Builds the table of a value mapping from its model. */
import { mostQualifierSets, type Scalar, type ValueMappingModel, type ValueRow } from "./mapping-models.ts";
import {
  entryWords,
  HeaderWord,
  hashOf,
  headerWords,
  magic,
  mostProbes,
  normalText,
  qualifiedText,
  sameBytes,
  type TableMeta,
} from "./value-table-layout.ts";

/**
 * Called for two rows, counted from 0, that have the same value in a column and may both apply. The earlier one is
 * used.
 */
export type Clash = (column: number, row: number, earlier: number, value: Scalar) => void;

/** Throws RangeError for more than mostQualifierSets sets of qualifiers, and for values whose hashes collide. */
export function buildValueTable(model: ValueMappingModel, onClash: Clash = () => {}): Uint8Array {
  const { rows, ...rules } = model;
  const columns = model.columns.length;
  const sets = qualifierSets(rows);
  const meta = new TextEncoder().encode(JSON.stringify({ ...rules, qualifierSets: sets } satisfies TableMeta));
  const pool = new Pool();
  const index = new Index(pool, keyCount(model));
  const cells = new Int32Array(rows.length * columns * 2);
  const setOf = new Map(sets.map((names, set) => [JSON.stringify(names), set]));
  rows.forEach((row, at) => {
    const names = namesOf(row);
    const set = names.length === 0 ? sets.length - 1 : (setOf.get(JSON.stringify(names)) as number);
    const qualifiers = names.map((name) => normalText(row.when?.get(name) ?? "", model));
    for (let column = 0; column < columns; column++) {
      const values = row.cells[column] ?? [];
      const [primary] = values;
      if (primary === undefined) continue;
      const text = JSON.stringify(primary);
      const offset = pool.add(text);
      const cell = (at * columns + column) * 2;
      cells[cell] = offset;
      cells[cell + 1] = pool.size - offset;
      if (model.oneWay && column > 0) continue;
      for (const value of values) {
        if (value === null) continue;
        const plain = normalText(value, model);
        const key = set === sets.length - 1 ? plain : qualifiedText(plain, qualifiers);
        // The JSON text of a value without escapes contains the value itself.
        const shared = value === primary && key === value && text.length === value.length + 2;
        const earlier = shared
          ? index.add(set * columns + column, offset + 1, pool.size - 1, at)
          : index.addText(set * columns + column, key, at);
        if (earlier !== at) onClash(column, at, earlier, value);
      }
    }
  });
  const header = new Int32Array(headerWords);
  header[HeaderWord.magic] = magic;
  header[HeaderWord.seed] = index.seed;
  header[HeaderWord.rows] = rows.length;
  header[HeaderWord.columns] = columns;
  header[HeaderWord.slots] = index.slots.length;
  header[HeaderWord.entries] = index.count;
  header[HeaderWord.metaBytes] = meta.length;
  header[HeaderWord.poolBytes] = pool.size;
  return joined([
    bytesOf(header),
    bytesOf(index.slots),
    bytesOf(index.entries).subarray(0, index.count * entryWords * 4),
    bytesOf(cells),
    meta,
    pool.bytes.subarray(0, pool.size),
  ]);
}

/** Largest sets first; the empty set, which is always present, last. */
function qualifierSets(rows: readonly ValueRow[]): string[][] {
  const sets = new Map<string, string[]>([["[]", []]]);
  for (const row of rows) {
    if (row.when === undefined || row.when.size === 0) continue;
    const names = namesOf(row);
    sets.set(JSON.stringify(names), names);
  }
  if (sets.size > mostQualifierSets) {
    throw new RangeError(`the rows have more than ${mostQualifierSets} different sets of qualifiers`);
  }
  return [...sets.values()].sort((a, b) => b.length - a.length);
}

const none: string[] = [];

function namesOf({ when }: ValueRow): string[] {
  return when === undefined ? none : [...when.keys()].sort();
}

function keyCount({ rows, oneWay }: ValueMappingModel): number {
  let count = 0;
  for (const { cells } of rows) {
    const last = oneWay ? Math.min(1, cells.length) : cells.length;
    for (let column = 0; column < last; column++) count += cells[column]?.length ?? 0;
  }
  return count;
}

/** Stores texts one after another. */
class Pool {
  bytes = new Uint8Array(1 << 16);
  size = 0;
  readonly #encoder = new TextEncoder();

  /** Returns where the text begins; it ends at `size`. */
  add(text: string): number {
    const offset = this.size;
    const most = offset + text.length * 3;
    if (most > this.bytes.length) {
      const larger = new Uint8Array(Math.max(most, this.bytes.length * 2));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.size += this.#encoder.encodeInto(text, this.bytes.subarray(offset, most)).written;
    return offset;
  }
}

class Index {
  readonly slots: Int32Array;
  readonly entries: Int32Array;
  /** Random, so that authors of documents cannot predict which values collide. */
  readonly seed: number = crypto.getRandomValues(new Int32Array(1))[0] as number;
  count = 0;
  readonly #pool: Pool;

  constructor(pool: Pool, most: number) {
    this.#pool = pool;
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(4, most * 2))));
    this.entries = new Int32Array(most * entryWords);
  }

  /** Returns the row of the key: `row`, or an earlier row with the same key. */
  addText(group: number, key: string, row: number): number {
    const offset = this.#pool.add(key);
    const found = this.add(group, offset, this.#pool.size, row);
    if (found !== row) this.#pool.size = offset;
    return found;
  }

  add(group: number, from: number, to: number, row: number): number {
    const { slots, entries } = this;
    const { bytes } = this.#pool;
    const hash = hashOf(bytes, from, to, group, this.seed);
    const mask = slots.length - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = (hash + probe) & mask;
      const taken = slots[slot] as number;
      if (taken === 0) {
        entries.set([hash, group, from, to - from, row], this.count * entryWords);
        this.count += 1;
        slots[slot] = this.count;
        return row;
      }
      const entry = (taken - 1) * entryWords;
      if (entries[entry] !== hash || entries[entry + 1] !== group || entries[entry + 3] !== to - from) continue;
      if (sameBytes(bytes, entries[entry + 2] as number, bytes, from, to - from)) return entries[entry + 4] as number;
    }
    throw new RangeError("too many values of the mapping have the same hash: send it again, or change its values");
  }
}

function bytesOf(words: Int32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
