/**
 * Message mappings: how many rules of real mappings are closures, and how fast a message passes through with them, with our guarded
 * interpreter alone, and with jsonata as it comes (its rules one after another, no guards). `npm run bench -- mappings [rounds]`
 */
import jsonata from "jsonata";
import { defaultLimits } from "../src/shared/limits.ts";
import type { MappingRule, MessageMappingModel } from "../src/shared/mapping-models.ts";
import { type CompiledMapping, compileMessageMapping } from "../src/workers/mappings/compile-message-mapping.ts";
import { readTarget } from "../src/workers/mappings/message-rule-document.ts";
import { allRules, expressionsOf } from "../src/workers/mappings/message-rules.ts";
import { messageModules } from "../src/workers/mappings/registry.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { type RealMapping, realMappings, type Targets } from "./support/real-mappings.ts";

const rounds = Number(process.argv[2] ?? 7);
const repeats = 50;
await messageModules.load();
const limits = { ...defaultLimits, scriptMs: 30_000 };
const lookup = { lookup: (_from: unknown, _to: unknown, value: unknown) => `mapped ${value}` };
const session = { values: () => lookup };

function rulesOf(targets: Targets, prefix = "r"): readonly MappingRule[] {
  return Object.entries(targets).map(([target, what], index) => {
    const id = `${prefix}.${index + 1}`;
    const rule = { id, name: id, target: readTarget(target) };
    return typeof what === "string"
      ? { ...rule, expr: what }
      : { ...rule, forEach: what[0], rules: rulesOf(what[1], id) };
  });
}

function modelOf({ rules }: RealMapping): MessageMappingModel {
  return {
    source: { format: "json" },
    target: { format: "json", validate: "off" },
    rules: rulesOf(rules),
    onMissing: "omit",
    onError: "fail",
    limits: {},
  };
}

function run(mapping: CompiledMapping, input: unknown): unknown {
  return mapping.run({ body: input, around: {}, session }).value;
}

type Stock = (context: unknown, variables: object) => Promise<Record<string, unknown>>;

/** The same expressions by the library itself; targets are plain keys. */
function stockOf(targets: Targets): Stock {
  const made = Object.entries(targets).map(([target, what]) => {
    const expression = jsonata(typeof what === "string" ? what : what[0]);
    expression.registerFunction("vmap", (_id: string, _from: string, _to: string, value: unknown) => `mapped ${value}`);
    return { target, expression, inner: typeof what === "string" ? undefined : stockOf(what[1]) };
  });
  return async (context, variables) => {
    const result: Record<string, unknown> = {};
    for (const { target, expression, inner } of made) {
      const value: unknown = await expression.evaluate(context, variables);
      if (inner === undefined) result[target] = value;
      else {
        const list: unknown[] = [];
        const items: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
        for (const [index, item] of items.entries())
          list.push(await inner(item, { ...variables, index, parent: context }));
        result[target] = list;
      }
    }
    return result;
  };
}

/** Medians over rounds in which all take their turn, in microseconds. */
async function side(works: readonly (() => unknown)[]): Promise<number[]> {
  const times: number[][] = works.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const began = performance.now();
      for (let i = 0; i < repeats; i++) await work();
      // The first round is for the compiler.
      if (round >= 0) times[index]?.push(((performance.now() - began) * 1000) / repeats);
    }
  }
  return times.map(median);
}

const rows: { name: string; rules: number; compiled: number; fast: number; slow: number; stock: number }[] = [];
for (const real of realMappings) {
  const model = modelOf(real);
  const fast = compileMessageMapping(real.name, model, limits);
  const slow = compileMessageMapping(real.name, model, limits, true);
  const stock = stockOf(real.rules);
  const { input } = real;
  if (JSON.stringify(run(fast, input)) !== JSON.stringify(run(slow, input)))
    throw new Error(`${real.name}: two results`);
  const rules = allRules(fast.rules);
  const works = [() => run(fast, input), () => run(slow, input), () => stock(input, { body: input, root: input })];
  const [fastMicros = 0, slowMicros = 0, stockMicros = 0] = await side(works);
  rows.push({
    name: real.name,
    rules: rules.length,
    compiled: rules.filter((rule) => expressionsOf(rule).every(({ compiled }) => compiled)).length,
    fast: fastMicros,
    slow: slowMicros,
    stock: stockMicros,
  });
}

for (const { name, rules, compiled, fast, slow, stock } of rows) {
  const figures = [`${compiled}/${rules}`, fast, slow, stock].map((one) =>
    (typeof one === "string" ? one : one.toFixed(1)).padStart(9),
  );
  console.log(`${name.padEnd(36)}${figures.join("")}`);
}
const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0);
report("mappings", {
  machine: machine(),
  mappings: rows.length,
  rules: sum(({ rules }) => rules),
  compiledShare: round(sum(({ compiled }) => compiled) / sum(({ rules }) => rules), 3),
  microsPerMessage: {
    closures: round(median(rows.map(({ fast }) => fast)), 1),
    interpreter: round(median(rows.map(({ slow }) => slow)), 1),
    stock: round(median(rows.map(({ stock }) => stock)), 1),
  },
  fasterThanInterpreter: round(median(rows.map(({ fast, slow }) => slow / fast)), 1),
  fasterThanStock: round(median(rows.map(({ fast, stock }) => stock / fast)), 1),
  wholeMappings: rows.filter(({ rules, compiled }) => rules === compiled).length,
  whollyCompiledFasterThanStock: round(
    median(rows.filter(({ rules, compiled }) => rules === compiled).map(({ fast, stock }) => stock / fast)),
    1,
  ),
});
