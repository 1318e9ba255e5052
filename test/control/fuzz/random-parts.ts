/** The parts of a random request: id, query, headers, body; each mostly good. */
import fc from "fast-check";
import { documents } from "./hints.ts";
import type { OpenApi, Operation, Parameter } from "./openapi-document.ts";
import { type Hints, spoilt, valuesOf } from "./schema-values.ts";

export interface RandomBody {
  readonly type: string | undefined;
  readonly text: string | undefined;
}

const badIds = ["-", ".", "con", "a..b", "é", "a%2Fb", "%00", "__proto__", "x".repeat(200), "%zz", " ", "a:b"];
const badValues = [..."| 0|-1|1.5|1e3|true|TRUE|null|[]|é|a,b|' or 1=1|*".split("|"), "x".repeat(300)];
const badTypes = ["text/plain", "application/vnd.x+json", "application/json; charset=latin1", "x", ""];
const badTexts = ["", "{", "null", "[]", '{"a":1,"a":2}', "\ufeff{}", "- x"];

export function idsOf({ schema }: Parameter, api: OpenApi, ids: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...ids), weight: 12 },
    { arbitrary: valuesOf(schema, api.resolve).map(String), weight: 2 },
    { arbitrary: fc.constantFrom(...badIds), weight: 1 },
    { arbitrary: fc.string({ maxLength: 10 }), weight: 1 },
  );
}

export function queriesOf(
  parameters: readonly Parameter[],
  api: OpenApi,
  hints: Hints,
): fc.Arbitrary<[string, string][]> {
  const good = parameters.map(({ name, schema }) => {
    const any = valuesOf(schema, api.resolve);
    const values = fc.oneof({ arbitrary: hints[name] ?? any, weight: 15 }, { arbitrary: any, weight: 1 });
    return mostly(
      [],
      values.map((value) => [value].flat().map((one): [string, string] => [name, String(one)])),
    );
  });
  const names = fc.oneof(
    fc.constantFrom("x", "__proto__", ...parameters.map(({ name }) => name)),
    fc.string({ maxLength: 5 }),
  );
  const bad = fc.array(fc.tuple(names, fc.oneof(fc.constantFrom(...badValues), fc.string({ maxLength: 8 }))), {
    maxLength: 2,
  });
  return fc.tuple(fc.tuple(...good), mostly([], bad)).map(([lists, more]) => [...lists.flat(), ...more]);
}

export function headersWith(tags: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const some = fc.record(
    {
      Accept: fc.constantFrom("application/yaml", "application/json;q=0.5, application/yaml", "text/html", "*/*;q=x"),
      "If-Match": fc.constantFrom("*", '"x"', "x", "", ...tags),
      "If-None-Match": fc.constantFrom("*", '"x"', "W/x", ...tags),
      "Last-Event-ID": fc.constantFrom("x", "abc-1", "-", "99999999999999999999"),
      "X-Request-Id": fc.constantFrom("abc", "a b", "x".repeat(200)),
      Range: fc.constant("bytes=0-1"),
      Prefer: fc.constantFrom("respond-async", "return=minimal"),
    },
    { requiredKeys: [] },
  );
  return mostly({}, some);
}

export function bodiesOf({ body, method }: Operation, api: OpenApi, hints: Hints): fc.Arbitrary<RandomBody> {
  const nothing: RandomBody = { type: undefined, text: undefined };
  const none = fc.constant(nothing);
  if (method === "GET") return none;
  const text = fc.oneof(fc.constantFrom(...badTexts), fc.string(), fc.json());
  const junk: fc.Arbitrary<RandomBody> = fc.record({
    type: fc.constantFrom("application/json", "application/yaml", ...badTypes),
    text,
  });
  if (body === undefined) return mostly(nothing, junk);
  const good = Object.entries(body).map(([type, { schema }]) =>
    (type === "application/json"
      ? valuesOf(schema, api.resolve, hints).map((value) => JSON.stringify(value))
      : documents
    ).map((written) => ({ type, text: written })),
  );
  const wrong = Object.values(body).map(({ schema }) =>
    spoilt(valuesOf(schema, api.resolve, hints)).map((value) => ({
      type: "application/json",
      text: JSON.stringify(value),
    })),
  );
  return fc.oneof(
    { arbitrary: fc.oneof(...good), weight: 10 },
    { arbitrary: fc.oneof(...wrong), weight: 2 },
    { arbitrary: junk, weight: 1 },
    { arbitrary: none, weight: 1 },
  );
}

function mostly<T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: fc.constant(usual), weight: 4 }, { arbitrary: other, weight: 1 });
}
