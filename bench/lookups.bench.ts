/**
 * A lookup in a value mapping of 100 000 rows against a plain Map in the same run, in nanoseconds, and what it costs to make and to
 * open a table. `npm run bench -- lookups [rows]`
 */
import { bench, do_not_optimize, group, run } from "mitata";
import { defaultLimits } from "../src/shared/limits.ts";
import { ValueTable } from "../src/shared/value-table.ts";
import { checkValueMapping } from "../src/workers/mappings/check-value-mapping.ts";
import { machine, median, report, round } from "./support/figures.ts";

const [count = 100_000] = process.argv.slice(2).map(Number);
const rows = Array.from({ length: count }, (_, i) => ({ crm: `status-${i}-of-the-crm`, erp: `ZSTATUS${i}` }));
const document = new TextEncoder().encode(JSON.stringify({ columns: { crm: {}, erp: {} }, rows }));
const limits = { ...defaultLimits, mappingRows: count };

function check(): Uint8Array {
  const request = { kind: "value", id: "m", media: "json", document, tables: [], absent: [], limits } as const;
  const result = checkValueMapping(request);
  if (!("data" in result)) throw new Error(JSON.stringify(result));
  return result.data;
}

/** Milliseconds. */
function timeOf(work: () => unknown): number {
  const began = performance.now();
  do_not_optimize(work());
  return performance.now() - began;
}

const data = check();
const table = new ValueTable(data);
const map = new Map(rows.map(({ crm, erp }) => [crm, erp]));
// Keys as they come with messages: texts of their own, in no order.
const keys = Array.from({ length: 4096 }, (_, i) => `status-${(i * 7919) % count}-of-the-crm`);
let at = 0;
const next = (): string => keys[(at = (at + 1) & 4095)] as string;

function perLookup(find: (key: string) => unknown): number {
  const turns = 400_000;
  return (
    (timeOf(() => {
      for (let turn = 0; turn < turns; turn++) do_not_optimize(find(next()));
    }) *
      1e6) /
    turns
  );
}

const pairs = Array.from({ length: 7 }, () => ({
  tableNs: perLookup((key) => table.lookup("crm", "erp", key)),
  mapNs: perLookup((key) => map.get(key)),
}));
report("lookups", {
  machine: machine(),
  rows: count,
  documentBytes: document.length,
  tableBytes: data.length,
  checkMs: round(median(Array.from({ length: 5 }, () => timeOf(check)))),
  openMs: round(median(Array.from({ length: 5 }, () => timeOf(() => new ValueTable(data)))), 3),
  tableNs: round(median(pairs.map(({ tableNs }) => tableNs)), 0),
  mapNs: round(median(pairs.map(({ mapNs }) => mapNs)), 0),
  ratio: round(median(pairs.map(({ tableNs, mapNs }) => tableNs / mapNs))),
});

group("a lookup that", () => {
  bench("finds its value in a table", () => do_not_optimize(table.lookup("crm", "erp", next())));
  bench("finds its value in a Map", () => do_not_optimize(map.get(next())));
  bench("finds nothing in a table", () => table.lookup("crm", "erp", "nowhere", { onMissing: "null" }));
});

await run();
