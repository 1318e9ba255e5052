/** Reads a value mapping's document, in the documented form or a short one, to its model. */
import { type Fields, readOwn } from "../../shared/document-fields.ts";
import { extendPointer } from "../../shared/document-place.ts";
import type { Limits } from "../../shared/limits.ts";
import type { ValueMappingModel, ValueRow } from "../../shared/mapping-models.ts";
import { checkColumns, checkValue, columnsIn, type Places, placesIn, readCell, readRow } from "./value-cells.ts";
import { type Findings, shown } from "./value-findings.ts";
import { readLookups, readRule, ruleFields } from "./value-lookups.ts";
import {
  anyFields,
  anything,
  flag,
  isScalar,
  kindOf,
  NotUnderstood,
  part,
  readPart,
  text,
  wordOf,
} from "./value-shape.ts";
import { readTests, type ValueTest } from "./value-tests.ts";

export interface ValueDocument {
  /** "" without a name. */
  readonly name: string;
  /** true: flows of other groups may use it, too. */
  readonly shared: boolean;
  readonly model: ValueMappingModel;
  readonly tests: readonly ValueTest[];
  /** Rows with the same value: `error` makes them a problem, `first` uses the first one. */
  readonly onAmbiguous: "error" | "first";
  readonly places: Places;
}

const contents = ["rows", "entries", "mappings"] as const;
const settings = {
  ...{ version: anything, name: text, description: anything, shared: flag, columns: anything, match: anything },
  ...{ typed: flag, bidirectional: flag, lookups: anything, ...ruleFields, onAmbiguous: text, tests: anything },
  labels: anything,
};
const example = '{"entries": {"DE": "Germany"}}';
const withContent = {
  rows: part({ ...settings, rows: anything }, example),
  entries: part({ ...settings, entries: anything }, example),
  mappings: part({ ...settings, mappings: anything }, example),
};
const match = part({ caseSensitive: flag, trim: flag }, '{"caseSensitive": false}');
const column = part(
  { agency: anything, scheme: anything, description: anything, labels: anything },
  '{"agency": "SAP"}',
);
const columnsByName = anyFields('{"crm": {}, "erp": {}}');
const entriesByName = anyFields("{}");

/** Throws NotUnderstood. */
export function readValueDocument(document: Fields, limits: Limits, findings: Findings): ValueDocument {
  const content = contents.find((name) => typeof readOwn(document, name) === "object" && document[name] !== null);
  if (content === undefined) return flatMap(document, limits, findings);
  const sent = readPart(withContent[content], document, "", findings);
  const table = readTable(document, content, limits, findings);
  const { columns } = table;
  const { caseSensitive = true, trim = false } = readPart(match, sent.match ?? {}, "/match", findings);
  const { version, typed = false, bidirectional = !table.short, name = "", shared = false } = sent;
  if (version !== undefined && version !== 1 && version !== "1")
    findings.warning("unknown_value", "/version", "there is version 1; the document is read as such");
  const oneWay = !bidirectional;
  const rule = readRule(sent, "", findings);
  const lookups = readLookups(sent.lookups, { columns, oneWay, rule }, findings);
  const model: ValueMappingModel = {
    columns,
    rows: table.rows,
    caseSensitive,
    trim,
    typed,
    oneWay,
    lookups,
    ...rule,
  };
  return {
    name,
    shared,
    model,
    tests: readTests(sent.tests, model, findings),
    onAmbiguous: wordOf(sent.onAmbiguous, "/onAmbiguous", ["error", "first"], findings) ?? "error",
    places: table.places,
  };
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly ValueRow[];
  readonly places: Places;
  /**
   * true: the document names no columns, so they are `from` and `to`, and lookups are one way unless the document sets
   * otherwise.
   */
  readonly short: boolean;
}

function readTable(document: Fields, content: string, limits: Limits, findings: Findings): Table {
  const given = readOwn(document, "columns");
  const columns = given === undefined ? undefined : readColumns(given, findings);
  const pointer = extendPointer("", content);
  const rows = document[content];
  if (!Array.isArray(rows)) {
    const [from = "from", to = "to", ...more] = columns ?? [];
    if (more.length > 0) findings.problem(pointer, "a map has two columns: write a list of rows for more");
    return pairs(
      readPart(entriesByName, rows, pointer, findings),
      [from, to],
      pointer,
      columns === undefined,
      limits,
      findings,
    );
  }
  const places = placesIn(pointer);
  if (isTooLong(rows.length, limits, pointer, findings))
    return { columns: columns ?? [], rows: [], places, short: false };
  const names = columns ?? columnsIn(rows, pointer, findings);
  if (columns === undefined) checkColumns(names, pointer, findings);
  const byName = new Map(names.map((name, at) => [name, at]));
  const read = rows.map((row: unknown, at) => readRow(row, at, pointer, byName, findings));
  warnOfLonely(read, places, findings);
  const short = columns === undefined && names.length === 2 && byName.get("from") === 0 && byName.get("to") === 1;
  return { columns: names, rows: read, places, short };
}

/** Columns are a list of names, or an object whose keys are the names. */
function readColumns(given: unknown, findings: Findings): readonly string[] {
  let names: string[];
  if (Array.isArray(given)) {
    names = given.map((name: unknown, at) => {
      if (typeof name === "string") return name;
      throw new NotUnderstood(`${extendPointer("/columns", at)} is ${kindOf(name)}, not a name`);
    });
  } else {
    const columns = readPart(columnsByName, given, "/columns", findings);
    names = Object.keys(columns);
    for (const name of names) readPart(column, columns[name] ?? {}, extendPointer("/columns", name), findings);
  }
  checkColumns(names, "/columns", findings);
  return names;
}

/** Reads `{"DE": "Germany"}`: each key is looked up and becomes its value. */
function pairs(
  map: Fields,
  columns: readonly [string, string],
  pointer: string,
  short: boolean,
  limits: Limits,
  findings: Findings,
): Table {
  const keys = Object.keys(map);
  const places: Places = {
    row: (row) => extendPointer(pointer, keys[row] ?? ""),
    cell: (row) => extendPointer(pointer, keys[row] ?? ""),
  };
  if (isTooLong(keys.length, limits, pointer, findings)) return { columns, rows: [], places, short };
  const rows = keys.map((key) => {
    const where = (): string => extendPointer(pointer, key);
    return { cells: [checkValue(key, where, findings) ? [key] : [], readCell(map[key], where, findings)] };
  });
  return { columns, rows, places, short };
}

/** A document without settings, in which all fields are entries. */
function flatMap(document: Fields, limits: Limits, findings: Findings): ValueDocument {
  const names = Object.keys(document);
  const isSetting = (name: string): boolean =>
    Object.hasOwn(settings, name) || contents.some((content) => content === name);
  const odd = names.find((name) => !isScalar(document[name]) && !Array.isArray(document[name]));
  if (names.every(isSetting) || odd !== undefined) {
    const why =
      odd === undefined ? "" : `, and ${extendPointer("", odd)} is ${kindOf(document[odd])}, so it is no map of values`;
    throw new NotUnderstood(`it has no 'rows', 'entries' or 'mappings'${why}`);
  }
  const meant = names.find(isSetting);
  if (meant !== undefined) {
    const message = `all fields are entries here, ${shown(meant)} too: write {"entries": {...}} to tell them apart`;
    findings.warning("flat_map", extendPointer("", meant), message);
  }
  const { columns, rows, places } = pairs(document, ["from", "to"], "", true, limits, findings);
  const model = { columns, rows, caseSensitive: true, trim: false, typed: false, oneWay: true, lookups: [] };
  return { name: "", shared: false, model, tests: [], onAmbiguous: "error", places };
}

function isTooLong(count: number, { mappingRows }: Limits, pointer: string, findings: Findings): boolean {
  if (count <= mappingRows) return false;
  findings.problem(pointer, `${count} rows: a value mapping has at most ${mappingRows}`);
  return true;
}

/** Warns of rows with a value in one column only, which no lookup can use. */
function warnOfLonely(rows: readonly ValueRow[], places: Places, findings: Findings): void {
  rows.forEach(({ cells }, at) => {
    const filled = cells.reduce((count, { length }) => count + (length > 0 ? 1 : 0), 0);
    if (filled < 2)
      findings.warning(
        "incomplete_row",
        places.row(at),
        "it has values in fewer than two columns: nothing is mapped by it",
      );
  });
}
