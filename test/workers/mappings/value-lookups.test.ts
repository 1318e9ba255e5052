/** Lookups in tables of bytes against a naive model, and tables whose bytes are damaged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LookupError, type LookupOptions, missingModes } from "../../../src/shared/value-lookup.ts";
import { ValueTable } from "../../../src/shared/value-table.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { checkValueMapping } from "../../../src/workers/mappings/check-value-mapping.ts";
import { acceptedValueMapping, checkRequest, mappingsOf } from "../../support/with-mappings.ts";
import {
  documentOf,
  isAmbiguous,
  type NaiveMapping,
  type NaiveRow,
  naiveLookup,
  notFound,
  type Value,
} from "./naive-value-mapping.ts";

const texts = [
  "a",
  "A",
  " a",
  "b",
  "1",
  "true",
  "",
  "ä",
  "Ä",
  "\u{1f600}",
  '"',
  "\\",
  "\n",
  "__proto__",
  "a|b",
  "x".repeat(300),
];
/** Few, so that rows meet. */
const common: fc.Arbitrary<Exclude<Value, null>> = fc.constantFrom("a", "A", " a", "1", 1, true, "true");
const rare: fc.Arbitrary<Exclude<Value, null>> = fc.oneof(
  fc.constantFrom(...texts, 2, 1.5, -0, 0, false),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const value = fc.oneof({ weight: 2, arbitrary: common }, { weight: 1, arbitrary: rare });
const cell: fc.Arbitrary<readonly Value[]> = fc.oneof(
  { weight: 4, arbitrary: value.map((one) => [one]) },
  { weight: 2, arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant([null]) },
);
const names = ["crm", "erp", "shop", "__proto__", "constructor"] as const;
const qualifierNames = ["country", "plant", "__proto__"] as const;
const qualifier = fc.constantFrom<Value[]>("DE", "de", 1);
const when = fc.dictionary(fc.constantFrom(...qualifierNames), qualifier, { minKeys: 1, maxKeys: 2 });
/** What a caller says: mostly all of them. */
const qualifiers = fc.oneof(
  { weight: 3, arbitrary: fc.dictionary(fc.constantFrom(...qualifierNames), qualifier, { minKeys: 3 }) },
  { weight: 1, arbitrary: when },
);
const rule = fc.record({ onMissing: fc.constantFrom(...missingModes), default: value }, { requiredKeys: [] });

function rowOf(columns: readonly string[]): fc.Arbitrary<NaiveRow> {
  return fc.record({
    cells: fc
      .array(fc.tuple(fc.constantFrom(...columns), cell), { minLength: 1, maxLength: 4 })
      .map((all) => new Map(all)),
    when: fc.oneof({ weight: 1, arbitrary: fc.constant(new Map()) }, { weight: 2, arbitrary: when.map(mapOf) }),
  });
}

function mapOf(fields: Record<string, Value>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(fields));
}

const mapping: fc.Arbitrary<NaiveMapping> = fc.shuffledSubarray([...names], { minLength: 2 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(rowOf(columns), { maxLength: 8 }),
    match: fc.record({ caseSensitive: fc.boolean(), trim: fc.boolean() }),
    typed: fc.boolean(),
    bidirectional: fc.boolean(),
    lookups: fc.uniqueArray(
      fc
        .record({ to: fc.constantFrom(...columns), rule })
        .map(({ to, rule: own }) => ({ from: columns[0] as string, to, ...own, default: own.default ?? "?" })),
      { selector: ({ to }) => to, maxLength: 2 },
    ),
  }),
);

interface Asked {
  readonly from: number;
  readonly to: number;
  readonly value: Value;
  readonly options: LookupOptions;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  from: fc.nat(),
  to: fc.nat(),
  value: fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
  options: fc
    .record({ rule: fc.option(rule, { freq: 2, nil: {} }), qualifiers: fc.option(qualifiers, { nil: undefined }) })
    .map(({ rule: own, qualifiers: given }) => ({ ...own, qualifiers: given })),
});

function outcomeOf(table: ValueTable, from: string, to: string, input: Value, options: LookupOptions): unknown {
  try {
    return table.lookup(from, to, input, options);
  } catch (error) {
    if (error instanceof LookupError && error.failure === "missing") return notFound;
    throw error;
  }
}

test("a table answers as the naive model does", () => {
  let accepted = 0;
  fc.assert(
    fc.property(mapping, fc.array(asked, { minLength: 20, maxLength: 40 }), (model, questions) => {
      const { data } = acceptedValueMapping(documentOf(model, "first"));
      const table = new ValueTable(data);
      assert.deepEqual(table.columns, model.columns);
      assert.equal(table.rows, model.rows.length);
      const inCells = model.rows.flatMap(({ cells }) => [...cells.values()].flat());
      accepted += 1;
      questions.forEach((question, at) => {
        const from = model.columns[model.bidirectional ? question.from % model.columns.length : 0] as string;
        const to = model.columns[question.to % model.columns.length] as string;
        const input =
          at % 2 === 0 && inCells.length > 0 ? (inCells[question.from % inCells.length] as Value) : question.value;
        const found = outcomeOf(table, from, to, input, question.options);
        const expected = naiveLookup(model, from, to, input, question.options);
        // JSON has one zero.
        assert.deepEqual(
          found === 0 ? 0 : found,
          expected === 0 ? 0 : expected,
          JSON.stringify({ from, to, input, question }),
        );
      });
    }),
    { numRuns: 150 },
  );
  assert.equal(accepted, 150);
});

test("ambiguous rows are refused, and no others", () => {
  const seen = { refused: 0, accepted: 0 };
  fc.assert(
    fc.property(mapping, (model) => {
      const result = checkValueMapping(checkRequest(documentOf(model, "error")));
      assert.equal("problems" in result, isAmbiguous(model), JSON.stringify(result));
      if ("problems" in result) {
        seen.refused += 1;
        for (const problem of result.problems)
          assert.match(problem, /^\/rows\/\d+\/\w+: .* stands in \/rows\/\d+ too|^and \d+ more/);
      } else seen.accepted += 1;
    }),
    { numRuns: 150 },
  );
  assert.ok(seen.refused > 10 && seen.accepted > 10, JSON.stringify(seen));
});

test("bytes that are damaged anywhere give an answer or an error, and never a hang or a crash", () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    crm: `c${i}`,
    erp: [`e${i}`, i],
    ...(i % 3 === 0 && { when: { q: i } }),
  }));
  const { data } = acceptedValueMapping({ rows, lookups: [{ from: "crm", to: "erp", default: "?" }] });
  const position = fc.nat(data.length - 1);
  fc.assert(
    fc.property(fc.array(fc.tuple(position, fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
      const damaged = data.slice();
      for (const [at, byte] of changes) damaged[at] = byte;
      failsAtMost(() => {
        const table = new ValueTable(damaged);
        for (let i = 0; i < 20; i++) table.lookup("crm", "erp", `c${i}`, { qualifiers: { q: i } });
      });
    }),
    { numRuns: 2000 },
  );
  for (let length = 0; length < data.length; length += 7) {
    assert.throws(
      () => new ValueTable(data.subarray(0, length)),
      (error) => error instanceof LookupError && error.failure === "data",
    );
  }
});

function failsAtMost(work: () => void): void {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof LookupError, String(error));
  }
}

test("a table is read wherever it lies in a buffer", () => {
  const { data } = acceptedValueMapping({ DE: "Germany" });
  for (let shift = 0; shift < 5; shift++) {
    const buffer = new Uint8Array(data.length + 8);
    buffer.set(data, shift);
    assert.equal(new ValueTable(buffer.subarray(shift, shift + data.length)).lookup("from", "to", "DE"), "Germany");
  }
});

test("columns may be left out where there are two", () => {
  const two = new ValueTable(acceptedValueMapping({ rows: [{ crm: "New", erp: "ZNEW" }] }).data);
  assert.equal(two.lookup(undefined, undefined, "New"), "ZNEW");
  assert.equal(two.lookup(undefined, "crm", "ZNEW"), "New");
  assert.equal(two.lookup("erp", undefined, "ZNEW"), "New");
  const three = new ValueTable(acceptedValueMapping({ rows: [{ crm: "New", erp: "ZNEW", shop: "n" }] }).data);
  assert.throws(
    () => three.lookup("crm", undefined, "New"),
    /say from which column to which: there are "crm", "erp", "shop"/,
  );
});

test("a lookup of a column in itself gives the primary value", () => {
  const table = new ValueTable(acceptedValueMapping({ rows: [{ crm: ["Done", "Closed"], erp: "ZCLS" }] }).data);
  assert.equal(table.lookup("crm", "crm", "Closed"), "Done");
});

test("of rows with equally many qualifiers of other names the first one counts where the mapping says so", () => {
  const rows = [
    { a: "x", b: "never", when: { country: "AT" } },
    { a: "x", b: "first", when: { plant: 1 } },
    { a: "x", b: "second", when: { country: "DE" } },
  ];
  const table = new ValueTable(acceptedValueMapping({ rows, onAmbiguous: "first" }).data);
  assert.equal(table.lookup("a", "b", "x", { qualifiers: { country: "DE", plant: 1 } }), "first");
});

test("failures in a run name the mapping, the columns and the value, shortened", () => {
  const { value: find } = mappingsOf({ orders: { rows: [{ crm: "New", erp: "ZNEW" }] }, odd: { a: { b: 1 } } });
  const failure = (work: () => unknown): string => {
    try {
      return `no failure: ${String(work())}`;
    } catch (error) {
      return error instanceof FlowException ? `${error.type}: ${error.message}` : String(error);
    }
  };
  const orders = find("orders");
  assert.equal(
    failure(() => orders.lookup("crm", "erp", "x".repeat(500))),
    `ValueMappingNotFoundException: value mapping 'orders': "${"x".repeat(60)}..." is not mapped from "crm" to "erp"`,
  );
  assert.match(
    failure(() => orders.lookup("crm", "erp", null)),
    /^ValueMappingNotFoundException: .*: null is not mapped/,
  );
  assert.match(
    failure(() => orders.lookup("crm", "erp", "x", { onMissing: "default" })),
    /"x" is not mapped from "crm" to "erp", and no default is given$/,
  );
  assert.match(
    failure(() => orders.lookup("CRM", "erp", "New")),
    /^java\.lang\.IllegalArgumentException: value mapping 'orders': there is no column "CRM": there are "crm", "erp"$/,
  );
  assert.match(
    failure(() => orders.lookup("crm", "erp", ["New"])),
    /a list cannot be looked up/,
  );
  assert.match(
    failure(() => orders.lookup("crm", "erp", { a: 1 })),
    /an object cannot be looked up/,
  );
  assert.match(
    failure(() => find("odd").lookup("a", "b", 1)),
    /^ValueMappingNotFoundException: value mapping 'odd': its document was not understood \(it has no 'rows'/,
  );
  assert.match(
    failure(() => find("gone")),
    /there is no value mapping 'gone': PUT \/_api\/value-mappings\/gone installs it/,
  );
});

test("bodies are looked up by what they say", () => {
  const lookup = mappingsOf({
    m: {
      rows: [
        { a: "New", b: "N" },
        { a: 7, b: "seven" },
      ],
    },
  }).value("m");
  assert.equal(lookup.lookup("a", "b", new JsonText('"New"', "New")), "N");
  assert.equal(lookup.lookup("a", "b", new JsonText("7", 7)), "seven");
  assert.equal(lookup.lookup("a", "b", new TextEncoder().encode("New")), "N");
  assert.equal(lookup.lookup("a", "b", "7"), "seven");
  assert.equal(lookup.lookup("a", "b", 7n), "seven");
});
