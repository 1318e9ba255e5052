/** Random texts of flows: the same data in all of YAML's spellings, with comments wherever they may stand. */
import fc from "fast-check";

/** A text of one route, in block style with parts in flow style, with either newline. */
export function randomFlow(): fc.Arbitrary<string> {
  const lines = fc
    .tuple(steps(0), comment, fc.constantFrom("  ", ""))
    .map(([printed, head, dash]) => [
      ...head,
      "- route:",
      "    id: main",
      "    from:",
      "      uri: webhook",
      "      steps:",
      ...printed.map((line) => `      ${dash}${line}`),
    ]);
  return fc.tuple(lines, fc.constantFrom("\n", "\r\n"), fc.boolean()).map(([all, newline, ends]) => {
    const text = all.join(newline);
    return ends ? text + newline : text;
  });
}

type Lines = readonly string[];

const word = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,4})?$/);
const comment: fc.Arbitrary<Lines> = fc.oneof(
  { arbitrary: fc.constant([]), weight: 3 },
  { arbitrary: word.map((text) => [`# ${text}`]), weight: 1 },
);
const trailing = fc.oneof(
  { arbitrary: fc.constant(""), weight: 4 },
  word.map((text) => ` # ${text}`),
);
const blank: fc.Arbitrary<Lines> = fc.oneof({ arbitrary: fc.constant([]), weight: 5 }, fc.constant([""]));

/** A text as a plain, quoted or block scalar; the lines behind the first one are indented by the caller. */
const scalar: fc.Arbitrary<Lines> = fc.oneof(
  word.map((text) => [text]),
  word.map((text) => [`'it''s ${text}'`]),
  word.map((text) => [`"${text}: \\"x\\" # no comment"`]),
  fc.tuple(word, word).map(([one, two]) => ["|", `  ${one}`, `  ${two}`]),
  fc.tuple(word, word).map(([one, two]) => [">-", `  ${one}`, "", `  ${two}`]),
);

/** `- ` steps with what stands between them. */
function steps(depth: number): fc.Arbitrary<Lines> {
  return fc
    .array(fc.tuple(blank, comment, step(depth)), { minLength: 1, maxLength: depth === 0 ? 4 : 2 })
    .map((list) => list.flatMap(([gap, note, printed]) => [...gap, ...note, ...asItem(printed)]));
}

function step(depth: number): fc.Arbitrary<Lines> {
  const leaves = [
    fc.tuple(scalar, trailing).map(([text, note]) => keyed("log", text, note)),
    fc
      .tuple(scalar, scalar, trailing)
      .map(([one, two, note]) => [
        `setHeader:${note}`,
        ...indented(keyed("name", one)),
        ...indented(["expression:", ...indented(keyed("simple", two))]),
      ]),
    fc.tuple(word, trailing).map(([text, note]) => [`setBody: { constant: ${text}, id: "${text.at(0)}1" }${note}`]),
    word.map((text) => [
      "to:",
      `  uri: direct:${text.split(" ")[0]}`,
      "  # options",
      "  parameters:",
      "    block: false",
    ]),
    fc.constant(["stop: {}"]),
  ];
  if (depth >= 2) return fc.oneof(...leaves);
  const inner = steps(depth + 1);
  return fc.oneof(
    ...leaves,
    fc
      .tuple(inner, trailing)
      .map(([list, note]) => [`filter:${note}`, "  simple: ${body} != null", "  steps:", ...indented(indented(list))]),
    fc
      .tuple(inner, inner, comment)
      .map(([one, two, note]) => [
        "choice:",
        "  when:",
        ...indented(indented([...note, "- simple: ${body}", "  steps:", ...indented(indented(one))])),
        "  otherwise:",
        "    steps:",
        ...indented(indented(indented(two))),
      ]),
  );
}

function keyed(key: string, [first = "", ...rest]: Lines, note = ""): Lines {
  // Behind a block scalar's mark a comment may stand, too.
  return [`${key}: ${first}${note}`, ...rest];
}

function asItem([first = "", ...rest]: Lines): Lines {
  return [`- ${first}`, ...indented(rest)];
}

function indented(lines: Lines): Lines {
  return lines.map((line) => (line === "" ? line : `  ${line}`));
}
