/** Files that are imported: each becomes a flow, byte for byte, or is refused with its reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowEntry, FlowFile } from "../../../designer/shared/wire.ts";
import { readFiles } from "../../../designer/web/src/flows/import-files.ts";
import { startTestDesigner } from "../server/support/start-designer.ts";

function file(name: string, content: string | Uint8Array): File {
  return new File([content as BlobPart], name);
}

const route = "- route:\n    from: { uri: webhook, steps: [] }\n";

test("files of Kaoto and Karavan are flows under the ids that their names give; companions go with their flows", async () => {
  const integration = `apiVersion: camel.apache.org/v1\nkind: Integration\nspec:\n  flows:\n    - from:\n        uri: timer:a\n        steps: []\n`;
  const { flows, refused } = await readFiles(
    [
      file("orders.flow.yaml", "category: shop # ours\n"),
      file("orders.yaml", `\uFEFF${route.replaceAll("\n", "\r\n")}`),
      file("tick.camel.yaml", "- from:\n    uri: timer:a\n    steps: []\n"),
      file("Meine Bestellung.yml", integration),
      file("my-sink.kamelet.yaml", "kind: Kamelet\nmetadata: { name: my-sink }\n"),
    ],
    [{ id: "Tick" } as FlowEntry],
  );
  assert.deepEqual(refused, []);
  assert.deepEqual(
    flows.map(({ file: name, id, companion, taken }) => [name, id, companion?.options, taken?.id]),
    [
      ["orders.yaml", "orders", { category: "shop" }, undefined],
      ["tick.camel.yaml", "tick", undefined, "Tick"],
      ["Meine Bestellung.yml", "meine-bestellung", undefined, undefined],
      ["my-sink.kamelet.yaml", "my-sink.kamelet", undefined, undefined],
    ],
  );
  assert.equal(flows[0]?.yaml, `\uFEFF${route.replaceAll("\n", "\r\n")}`);
  assert.equal(flows[0]?.companion?.text, "category: shop # ours\n");
});

test("what is no flow is refused with its reason", async () => {
  const { flows, refused } = await readFiles(
    [
      file("readme.md", "# x"),
      file("broken.yaml", "- route: {\n  id: [\n"),
      file("compose.yaml", "services:\n  db: { image: x }\n"),
      file("latin.yaml", Uint8Array.of(0x2d, 0x20, 0xe4)),
      file("huge.yaml", " ".repeat(1024 * 1024 + 1)),
      file("alone.flow.yaml", "category: x"),
      file("a.yaml", route),
      file("a.yml", route),
      file("b.yaml", route),
      file("b.flow.yaml", "- 1\n"),
    ],
    [],
  );
  assert.deepEqual(
    flows.map(({ id }) => id),
    ["a"],
  );
  const reasons = refused.map(({ file: name, problem }) => `${name}: ${problem.slice(0, 40)}`);
  assert.deepEqual(reasons, [
    "readme.md: Its name does not end in .yaml or .yml: ",
    "broken.yaml: Line 2, column 3: Flow map in block coll",
    "compose.yaml: It has no part of a flow: no route, no r",
    "latin.yaml: latin.yaml is not UTF-8: save it in that",
    "huge.yaml: huge.yaml is larger than 1 MiB, which no",
    "alone.flow.yaml: It has the options of a flow alone: choo",
    "a.yml: Another one of these files has the id a,",
    "b.yaml: b.flow.yaml cannot be read: it has to be",
  ]);
});

test("a companion is written as it was sent, comments included, and read with the flow; options are written into it", async (t) => {
  const { call, json } = await startTestDesigner(t);
  const companion = "# ours\ncategory: shop # the first\n";
  const put = (id: string, body: object) =>
    call("PUT", `/designer/flows/${id}`, { yaml: route, ...body }, { "If-None-Match": "*" });
  assert.equal((await put("a", { companion })).status, 201);
  assert.equal((await json<FlowFile>("GET", "/designer/flows/a")).companion, companion);
  assert.equal((await put("b", { companion, options: { category: "shop", description: "B" } })).status, 201);
  assert.equal((await json<FlowFile>("GET", "/designer/flows/b")).companion, `${companion}description: B\n`);
  assert.equal((await put("c", { companion: "categorie: x\n" })).status, 422);
  assert.equal((await put("c", { companion: "a: [\n" })).status, 422);
  assert.equal((await call("GET", "/designer/flows/c")).status, 404);
});
