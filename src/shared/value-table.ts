/**
 * Reads the table of a value mapping directly from its bytes. A lookup takes the same time in a table of any size, and
 * opening a table builds nothing.
 */
import { parseExactly } from "./exact-json.ts";
import { longestValue, type MissingRule, type Scalar } from "./mapping-models.ts";
import { LookupError, type LookupOptions, type MissingMode } from "./value-lookup.ts";
import {
  broken,
  entryWords,
  HeaderWord,
  hashOf,
  headerWords,
  isLookedUp,
  magic,
  mostProbes,
  normalText,
  qualifiedText,
  readMeta,
  sameBytes,
  scalarOf,
  type TableMeta,
} from "./value-table-layout.ts";

/** A buffer for the key of a lookup. Lookups are synchronous, so all tables share it. */
const key = new Uint8Array(1 << 16);
const encoder = new TextEncoder();

export class ValueTable {
  readonly #meta: TableMeta;
  readonly #rows: number;
  /** The words of the header, the slots, the entries and the cells. */
  readonly #words: Int32Array;
  /** The index of the first word of each section. */
  readonly #slots = headerWords;
  readonly #entries: number;
  readonly #cells: number;
  readonly #slotCount: number;
  readonly #entryCount: number;
  readonly #seed: number;
  readonly #pool: Buffer;
  readonly #columnAt: ReadonlyMap<string, number>;
  /** The rule of each pair of columns for missing values, by from * columns + to. */
  readonly #rules: ReadonlyMap<number, MissingRule>;

  /** Keeps `data`, which must not change. Throws LookupError `data` for bytes that are not a table. */
  constructor(data: Uint8Array) {
    const header = wordsOf(data, headerWords);
    const word = (at: number): number => header[at] as number;
    const [rows, columns, slots, entries] = [
      word(HeaderWord.rows),
      word(HeaderWord.columns),
      word(HeaderWord.slots),
      word(HeaderWord.entries),
    ];
    const [metaBytes, poolBytes] = [word(HeaderWord.metaBytes), word(HeaderWord.poolBytes)];
    const isSound =
      word(HeaderWord.magic) === magic &&
      [rows, columns, entries, metaBytes, poolBytes].every((count) => count >= 0) &&
      slots > entries &&
      (slots & (slots - 1)) === 0;
    if (!isSound) throw broken();
    const words = headerWords + slots + entries * entryWords + rows * columns * 2;
    if (words * 4 + metaBytes + poolBytes !== data.length) throw broken();
    this.#words = wordsOf(data, words);
    this.#rows = rows;
    this.#slotCount = slots;
    this.#entryCount = entries;
    this.#seed = word(HeaderWord.seed);
    this.#entries = headerWords + slots;
    this.#cells = this.#entries + entries * entryWords;
    const rest = Buffer.from(data.buffer, data.byteOffset + words * 4, metaBytes + poolBytes);
    this.#meta = readMeta(rest.toString("utf8", 0, metaBytes));
    this.#pool = rest.subarray(metaBytes);
    if (this.#meta.columns.length !== columns || this.#meta.qualifierSets.length === 0) throw broken();
    this.#columnAt = new Map(this.#meta.columns.map((name, at) => [name, at]));
    this.#rules = new Map(
      this.#meta.lookups.map(({ from, to, ...rule }) => [this.#column(from) * columns + this.#column(to), rule]),
    );
  }

  get columns(): readonly string[] {
    return this.#meta.columns;
  }

  get rows(): number {
    return this.#rows;
  }

  /**
   * Returns the primary value that the row of `value` has in the column `to`. In a mapping of two columns, one of
   * `from` and `to` may be undefined, which is then the other column; without both the lookup goes from the first to
   * the second. null and undefined are missing in every mapping. A column may be looked up in itself, which returns
   * the primary value. Of the rows whose `when` fits and that have a value in `to`, the one with the most qualifiers
   * is used. Throws LookupError.
   */
  lookup(from: string | undefined, to: string | undefined, value: unknown, options: LookupOptions = {}): unknown {
    const [fromAt, toAt] = this.#pair(from, to);
    const cell = this.#find(fromAt, toAt, lookedUp(value), options.qualifiers);
    return cell < 0 ? this.#absent(fromAt, toAt, value, options) : this.#valueAt(cell);
  }

  #pair(from: string | undefined, to: string | undefined): readonly [from: number, to: number] {
    const { columns, oneWay, notUnderstood } = this.#meta;
    if (notUnderstood !== undefined) {
      throw new LookupError("document", `its document was not understood (${notUnderstood}): install one that is`);
    }
    if ((from === undefined || to === undefined) && columns.length !== 2) {
      const names = listed(columns);
      throw new LookupError("column", `say from which column to which: there are ${names}`);
    }
    const other = (name: string): number => 1 - this.#column(name);
    const fromAt = from === undefined ? (to === undefined ? 0 : other(to)) : this.#column(from);
    const toAt = to === undefined ? 1 - fromAt : this.#column(to);
    if (oneWay && fromAt > 0) {
      const first = shown(columns[0] as string);
      throw new LookupError("column", `lookups begin in the column ${first} only: "bidirectional": true allows others`);
    }
    return [fromAt, toAt];
  }

  #column(name: string): number {
    const at = this.#columnAt.get(name);
    if (at !== undefined) return at;
    const names = listed(this.#meta.columns);
    throw new LookupError("column", `there is no column ${shown(name)}: there are ${names}`);
  }

  /** Returns the index of the cell's first word, -1 without a cell. */
  #find(from: number, to: number, value: Looked, qualifiers: LookupOptions["qualifiers"]): number {
    if (value === undefined || (typeof value === "string" && (value.length > longestValue || !value.isWellFormed())))
      return -1;
    const { qualifierSets } = this.#meta;
    const columns = this.#meta.columns.length;
    const text = normalText(value, this.#meta);
    let best = -1;
    for (let set = 0; set < qualifierSets.length; set++) {
      const names = qualifierSets[set] as readonly string[];
      if (best >= 0 && names.length < (qualifierSets[set - 1]?.length ?? 0)) break;
      const whole = this.#keyOf(text, names, qualifiers);
      const row = whole === undefined ? -1 : this.#rowOf(whole, set * columns + from);
      const cell = this.#cells + (row * columns + to) * 2;
      // Two sets of the same size both fit only if the mapping sets that the first row is used.
      if (row >= 0 && this.#word(cell + 1) > 0 && (best < 0 || cell < best)) best = cell;
    }
    return best;
  }

  #keyOf(text: string, names: readonly string[], qualifiers: LookupOptions["qualifiers"]): string | undefined {
    if (names.length === 0) return text;
    const values: string[] = [];
    for (const name of names) {
      const value = qualifiers !== undefined && Object.hasOwn(qualifiers, name) ? qualifiers[name] : undefined;
      if (!isLookedUp(value)) return undefined;
      values.push(normalText(value, this.#meta));
    }
    return qualifiedText(text, values);
  }

  #rowOf(text: string, group: number): number {
    const { read, written: length } = encoder.encodeInto(text, key);
    if (read < text.length) return -1;
    const hash = hashOf(key, 0, length, group, this.#seed);
    const mask = this.#slotCount - 1;
    const probes = Math.min(mostProbes, this.#slotCount);
    for (let probe = 0; probe < probes; probe++) {
      const entry = this.#word(this.#slots + ((hash + probe) & mask));
      if (entry === 0) return -1;
      if (entry < 0 || entry > this.#entryCount) throw broken();
      const at = this.#entries + (entry - 1) * entryWords;
      if (this.#word(at) !== hash || this.#word(at + 1) !== group || this.#word(at + 3) !== length) continue;
      if (!sameBytes(this.#pool, this.#word(at + 2), key, 0, length)) continue;
      const row = this.#word(at + 4);
      if (row < 0 || row >= this.#rows) throw broken();
      return row;
    }
    return -1;
  }

  #valueAt(cell: number): Scalar {
    const offset = this.#word(cell);
    const end = offset + this.#word(cell + 1);
    if (offset < 0 || end > this.#pool.length) throw broken();
    try {
      return scalarOf(parseExactly(this.#pool.toString("utf8", offset, end)));
    } catch {
      throw broken();
    }
  }

  #word(at: number): number {
    const word = this.#words[at];
    if (word === undefined) throw broken();
    return word;
  }

  #absent(from: number, to: number, value: unknown, options: LookupOptions): unknown {
    const columns = this.#meta.columns;
    const pair = this.#rules.get(from * columns.length + to);
    const mode = modeOf(options) ?? modeOf(pair) ?? modeOf(this.#meta) ?? "error";
    if (mode === "null") return null;
    if (mode === "passthrough") return value ?? null;
    if (mode === "default") {
      const rule = [options, pair, this.#meta].find((one) => one?.default !== undefined);
      if (rule !== undefined) return rule.default;
    }
    const [fromName, toName] = [columns[from] as string, columns[to] as string];
    const what = value === null || value === undefined ? "null is" : `${shown(String(value))} is`;
    const why = mode === "default" ? ", and no default is given" : "";
    throw new LookupError("missing", `${what} not mapped from ${shown(fromName)} to ${shown(toName)}${why}`);
  }
}

type Looked = string | number | bigint | boolean | undefined;

/** Throws LookupError `value` for a list or an object. */
function lookedUp(value: unknown): Looked {
  if (value === null || value === undefined) return undefined;
  if (isLookedUp(value)) return value;
  const kind = Array.isArray(value) ? "a list" : "an object";
  throw new LookupError("value", `${kind} cannot be looked up: look up texts, numbers or booleans, one at a time`);
}

/** A default without a mode means the mode `default`. */
function modeOf(rule: LookupOptions | undefined): MissingMode | undefined {
  return rule?.onMissing ?? (rule?.default === undefined ? undefined : "default");
}

function wordsOf(data: Uint8Array, count: number): Int32Array {
  if (data.length < count * 4) throw broken();
  // A view on a larger buffer may begin at any byte.
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice(0, count * 4);
  return new Int32Array(aligned.buffer, aligned.byteOffset, count);
}

function listed(names: readonly string[]): string {
  const more = names.length > 8 ? ` and ${names.length - 8} more` : "";
  return names.slice(0, 8).map(shown).join(", ") + more;
}

function shown(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}...` : text;
  return JSON.stringify(short);
}
