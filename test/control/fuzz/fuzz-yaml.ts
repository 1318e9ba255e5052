/** Any text as a flow: deployed, or refused with a place inside of the text. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { manage, type World } from "../corpus/world.ts";
import { type Length, lengthOf } from "./seed.ts";
import { mutatedDocuments } from "./yaml-mutations.ts";

const folder = new URL("../../../routes/samples/", import.meta.url);

/** The sample flows, and one with every shape that they lack. */
export const goodFlows: readonly string[] = [
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(new URL(name, folder), "utf8")),
  `- from:
    uri: "timer:{{name:tick}}"
    parameters: { period: 1h, delay: "1h" }
    steps:
      - setHeaders: { values: [{ name: a, constant: "1" }, { name: b, simple: "\${body}" }] }
      - filter: { simple: "\${header.a} regex '[0-9]+'", steps: [{ removeHeader: a }, { to: { uri: "log:x", parameters: { showAll: true } } }] }
      - delay: { constant: 1 }
      - transform: { simple: { expression: "\${body}", trim: true } }
      - setVariable: { name: v, expression: { constant: x } }
`,
];

const texts = fc.oneof(
  { arbitrary: mutatedDocuments(goodFlows), weight: 8 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 200 }), weight: 1 },
);

interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
}

/** Each text is validated; one in `deployEvery` is deployed as well. */
export async function fuzzYaml(world: World, length: Length, deployEvery = 8): Promise<void> {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(texts, async (yaml) => {
      const valid = await validate(world, yaml);
      count += 1;
      if (count % deployEvery === 0) await deploy(world, yaml, valid);
    }),
    lengthOf(length),
  );
}

async function validate(world: World, yaml: string): Promise<boolean> {
  const answer = await manage(world, "POST", "/flows/fuzzed/validate", JSON.stringify({ yaml }));
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const { valid, diagnostics } = JSON.parse(text) as { valid: boolean; diagnostics: Diagnostic[] };
  for (const { message, line, column, endLine, endColumn } of diagnostics) {
    assert.ok(message !== "");
    if (line === null) continue;
    assertInside(yaml, line, column);
    // A mark at the end of a line is one character wide.
    assertInside(yaml, endLine, endColumn, 1);
  }
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  assert.equal(valid, errors.length === 0);
  return valid;
}

/** What is valid may still be refused for what others own; what is not valid never serves. */
async function deploy(world: World, yaml: string, valid: boolean): Promise<void> {
  const answer = await manage(world, "PUT", "/flows/fuzzed", JSON.stringify({ yaml }));
  const text = await answer.text();
  assert.ok([200, 201, 409, 422].includes(answer.status), `${answer.status} ${text}`);
  if (answer.ok) {
    assert.ok(valid, text);
    const removed = await manage(world, "DELETE", "/flows/fuzzed?purge=true&drainMs=0");
    assert.equal(removed.status, 200, await removed.text());
  } else if (answer.headers.get("x-error-code") === "flow_invalid") {
    const place = /^fuzzed\.yaml:(\d+):(\d+): /.exec((JSON.parse(text) as { error: string }).error);
    assert.ok(place !== null, text);
    assertInside(yaml, Number(place[1]), Number(place[2]));
    assert.ok(!valid, text);
  }
}

/** The place right behind the last character of a line is inside. */
function assertInside(text: string, line: number | null, column: number | null, behind = 0): void {
  const lines = text.split("\n");
  assert.ok(line !== null && column !== null);
  assert.ok(line >= 1 && line <= lines.length, `line ${line} of ${lines.length}`);
  const width = (lines[line - 1] ?? "").length;
  assert.ok(column >= 1 && column <= width + 1 + behind, `column ${column} of line ${line}, which has ${width}`);
}
