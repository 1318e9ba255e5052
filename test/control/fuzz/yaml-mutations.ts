/** Flow documents that were good until something in them was taken away, doubled, swapped, or replaced by another kind of thing. */
import fc from "fast-check";
import { parse, stringify } from "yaml";

type Tree = unknown;

interface Place {
  readonly parent: Record<string, Tree> | Tree[];
  readonly key: string | number;
}

const strange = fc.oneof(
  fc.constantFrom<Tree>(null, true, 0, -1, 1e300, "", " ", "{{x}}", "{{x:1}}", "${", "${body}", "/_api/x", "__proto__"),
  fc.constantFrom<Tree>(
    "webhook",
    "timer:t",
    "direct:x",
    "platform-http:/_api",
    "log:x?a",
    "- a",
    "#",
    "'",
    "\u0000",
    "\ud83d\ude00",
  ),
  fc.constantFrom<Tree>([], {}, [null], { "": null }, [[[]]], { steps: [] }, { simple: "x", constant: "y" }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.double(),
);

const names = fc.oneof(
  fc.constantFrom(
    "id",
    "uri",
    "steps",
    "from",
    "route",
    "simple",
    "log",
    "to",
    "choice",
    "expression",
    "__proto__",
    "x",
  ),
  fc.string({ maxLength: 5 }),
);

const change = fc.record({
  kind: fc.constantFrom("delete", "double", "swap", "replace", "rename", "wrap"),
  at: fc.nat(),
  other: fc.nat(),
  value: strange,
  name: names,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Changes of the text itself, for what no writer of YAML would produce. */
const scratch = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 8 }),
  insert: fc.constantFrom(
    "",
    "\n",
    "  ",
    "\t",
    "- ",
    ": ",
    "[",
    "{",
    "}",
    '"',
    "'",
    "|",
    ">",
    "&a ",
    "*a",
    "!!x ",
    "---\n",
    "#",
    "%",
    "?",
    "\ufeff",
    "\u2028",
  ),
});

/** Documents made from the good ones. */
export function mutatedDocuments(good: readonly string[]): fc.Arbitrary<string> {
  const tree = fc
    .tuple(fc.constantFrom(...good), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([text, changes]) => stringify(changes.reduce(mutate, parse(text))));
  const scratched = fc
    .tuple(fc.oneof(fc.constantFrom(...good), tree), fc.array(scratch, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) =>
      changes.reduce((now, { at, remove, insert }) => {
        const place = at % (now.length + 1);
        return now.slice(0, place) + insert + now.slice(place + remove);
      }, text),
    );
  return fc
    .oneof({ arbitrary: tree, weight: 3 }, { arbitrary: scratched, weight: 2 })
    .map((text) => text.toWellFormed());
}

function mutate(root: Tree, { kind, at, other, value, name }: Change): Tree {
  const places = placesIn(root);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return value;
  const second = places[other % places.length] as Place;
  const here = valueAt(place);
  switch (kind) {
    case "delete":
      remove(place);
      break;
    case "double":
      if (Array.isArray(place.parent)) place.parent.splice(Number(place.key), 0, structuredClone(here));
      else set(place, [structuredClone(here), here]);
      break;
    case "swap": {
      const [one, two] = [structuredClone(here), structuredClone(valueAt(second))];
      set(place, two);
      set(second, one);
      break;
    }
    case "replace":
      set(place, structuredClone(value));
      break;
    case "rename":
      remove(place);
      if (!Array.isArray(place.parent)) set({ ...place, key: name }, here);
      break;
    case "wrap":
      set(place, { [name]: here });
  }
  return root;
}

function placesIn(root: Tree): Place[] {
  if (typeof root !== "object" || root === null) return [];
  const parent = root as Record<string, Tree> | Tree[];
  const keys = Array.isArray(parent) ? [...parent.keys()] : Object.keys(parent);
  return keys.flatMap((key) => [{ parent, key }, ...placesIn(valueAt({ parent, key }))]);
}

function valueAt({ parent, key }: Place): Tree {
  return Array.isArray(parent) ? parent[Number(key)] : parent[key];
}

function set({ parent, key }: Place, value: Tree): void {
  // Not by assignment: `__proto__` is a name like others here.
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}
