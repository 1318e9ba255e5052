/** Texts of flows in which something was changed: lines, indentation, scalars, keys, characters. */
import fc from "fast-check";
import { parseDocument, visit } from "yaml";

const scalars = fc.oneof(
  { arbitrary: fc.constantFrom("0", "-1", "7", "1.5", "1e400", "99999999999999999999", "0x10", "007"), weight: 3 },
  {
    arbitrary: fc.constantFrom(
      "null",
      "~",
      "true",
      "no",
      "2026-01-01",
      "",
      "''",
      '" "',
      "'",
      '"',
      "|",
      ">",
      "*a",
      "&a x",
      "!!x y",
    ),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom(
      "[]",
      "{}",
      "[a, b]",
      "[[1], {x: 1}]",
      "{a: b}",
      "{simple: '${body}'}",
      "{ref: x}",
      "{__proto__: 1}",
    ),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom(
      '"${"',
      '"${body"',
      '"${}"',
      '"${body}"',
      '"${body.length()}"',
      '"${header.x.y[0]}"',
      '"${exception.message}"',
      '"${random(1,0)}"',
      '"{{"',
      '"{{x}}"',
      '"{{x:5}}"',
      '"{{?x}}"',
      '"}}"',
      '"a, b"',
      '"#class:x"',
      '"#bean:x"',
      '"\\u0000"',
      '"\\ud83d\\ude00"',
    ),
    weight: 4,
  },
  {
    arbitrary: fc.constantFrom(
      "direct:start",
      "direct:",
      "seda:x",
      "log:a?b=c",
      "timer:t?period=0",
      "http://127.0.0.1:1/x",
      "file:x",
      "mock:m",
      "controlbus:route?routeId=main&action=status",
      "kamelet:log-sink",
      "nope:x",
      "webhook",
      "constructor",
      "__proto__",
      "toString",
    ),
    weight: 3,
  },
  { arbitrary: fc.integer({ min: 2, max: 5000 }).map((length) => "x".repeat(length)), weight: 1 },
  { arbitrary: fc.integer({ min: 2, max: 500 }).map((count) => `"${"${body}{{x:1}}".repeat(count)}"`), weight: 1 },
  {
    arbitrary: fc.string({ unit: "binary", maxLength: 8 }).map((text) => JSON.stringify(text.toWellFormed())),
    weight: 1,
  },
);

const names = fc.constantFrom(
  "id",
  "uri",
  "steps",
  "from",
  "route",
  "simple",
  "constant",
  "jq",
  "expression",
  "log",
  "to",
  "choice",
  "when",
  "split",
  "name",
  "parameters",
  "__proto__",
  "constructor",
  "toString",
  "x",
  "a b",
  "",
  "Split",
  "set-body",
  "'",
  "unknown",
  "y".repeat(2000),
  "resultType",
  "onException",
  "on-exception",
);

const kinds = [
  "delete line",
  "double line",
  "swap lines",
  "indent",
  "indent rest",
  "replace scalar",
  "rename key",
  "insert key",
  "delete characters",
  "insert characters",
] as const;

const change = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(),
  other: fc.nat(),
  width: fc.integer({ min: -4, max: 4 }),
  scalar: scalars,
  name: names,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** One of the texts with one to three changes. */
export function changed(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...texts),
      fc.oneof(
        { arbitrary: fc.array(change, { minLength: 1, maxLength: 1 }), weight: 2 },
        { arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }), weight: 1 },
      ),
    )
    .map(([text, changes]) => changes.reduce(apply, text).toWellFormed());
}

function apply(text: string, { kind, at, other, width, scalar, name }: Change): string {
  switch (kind) {
    case "replace scalar":
      return inPlace(text, places(text).values, at, scalar);
    case "rename key":
      return inPlace(text, places(text).keys, at, name);
    case "delete characters": {
      const from = at % (text.length + 1);
      return text.slice(0, from) + text.slice(from + 1 + (other % 6));
    }
    case "insert characters": {
      const from = at % (text.length + 1);
      return text.slice(0, from) + scalar + text.slice(from);
    }
    default:
      return inLines(text.split("\n"), { kind, at, other, width, scalar, name }).join("\n");
  }
}

function inLines(lines: string[], { kind, at, other, width, scalar, name }: Change): string[] {
  const line = at % lines.length;
  const second = other % lines.length;
  const here = lines[line] ?? "";
  const indented = (text: string): string =>
    width < 0 ? text.replace(new RegExp(`^ {0,${-width}}`), "") : " ".repeat(width) + text;
  if (kind === "delete line") return lines.toSpliced(line, 1);
  if (kind === "double line") return lines.toSpliced(line, 0, here);
  if (kind === "swap lines") return lines.with(line, lines[second] ?? "").with(second, here);
  if (kind === "indent") return lines.with(line, indented(here));
  if (kind === "indent rest") return lines.map((text, index) => (index < line ? text : indented(text)));
  const margin = /^[ -]*/.exec(here)?.[0].replaceAll("-", " ") ?? "";
  return lines.toSpliced(line + 1, 0, `${margin}${name}: ${scalar}`);
}

type Range = readonly [start: number, end: number];

function inPlace(text: string, ranges: readonly Range[], at: number, by: string): string {
  const range = ranges[at % Math.max(1, ranges.length)];
  return range === undefined ? by + text : text.slice(0, range[0]) + by + text.slice(range[1]);
}

/** Where the keys and the other scalars of a text stand, as far as it is YAML. */
function places(text: string): { readonly keys: Range[]; readonly values: Range[] } {
  const found = { keys: [] as Range[], values: [] as Range[] };
  visit(parseDocument(text, { uniqueKeys: false, logLevel: "silent" }), {
    Scalar(where, { range }) {
      if (range) (where === "key" ? found.keys : found.values).push([range[0], range[1]]);
    },
  });
  return found;
}
