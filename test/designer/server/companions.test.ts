/** The companion file of a flow: options as data, written so that comments and other lines stay. */
import assert from "node:assert/strict";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { parse } from "yaml";
import { hashOfOptions, readCompanion, writeCompanion } from "../../../designer/server/workspace/companion.ts";
import type { FlowFile, Options } from "../../../designer/shared/wire.ts";
import { startTestDesigner } from "./support/start-designer.ts";

const yaml = "- route: {}\n";
const companion = `# Owned by the shop team
description: "Orders" # shown in lists
params:
  # The test system
  crm: https://crm.test
  big: 12345678901234567890
limits: { queueDepth: 10 }

tests:
  - name: happy # keep
    expect: 1
`;

test("an edit of one option leaves every other line as it is", async (t) => {
  const { json, workspace } = await startTestDesigner(t, { files: { "a.yaml": yaml, "a.flow.yaml": companion } });
  const file = await json<FlowFile>("GET", "/designer/flows/a");
  const options = { ...file.options, params: { ...(file.options["params"] as object), crm: "https://crm.example" } };
  await json("PUT", "/designer/flows/a", { yaml, options }, { "If-Match": file.etag });
  const text = await readFile(join(workspace, "a.flow.yaml"), "utf8");
  assert.equal(text, companion.replace("crm.test", "crm.example"));
});

test("options that are as they were leave the file byte by byte, and so does a save without options", async (t) => {
  const odd = `${companion}\n\n# the end`;
  const { json, workspace } = await startTestDesigner(t, { files: { "a.yaml": yaml, "a.flow.yaml": odd } });
  const file = await json<FlowFile>("GET", "/designer/flows/a");
  const saved = await json<FlowFile>(
    "PUT",
    "/designer/flows/a",
    { yaml: "# new\n", options: file.options },
    { "If-Match": file.etag },
  );
  await json("PUT", "/designer/flows/a", { yaml: "# newer\n" }, { "If-Match": saved.etag });
  assert.equal(await readFile(join(workspace, "a.flow.yaml"), "utf8"), odd);
});

test("without options there is no companion, unless it has comments", async (t) => {
  const files = {
    "a.yaml": yaml,
    "a.flow.yaml": "category: x\n",
    "b.yaml": yaml,
    "b.flow.yaml": "# Owned by us\ncategory: x\n",
  };
  const { json, workspace } = await startTestDesigner(t, { files });
  for (const id of ["a", "b"]) {
    const { etag } = await json<FlowFile>("GET", `/designer/flows/${id}`);
    const saved = await json<FlowFile>("PUT", `/designer/flows/${id}`, { yaml, options: {} }, { "If-Match": etag });
    assert.deepEqual([saved.options, saved.category], [{}, null]);
  }
  await assert.rejects(access(join(workspace, "a.flow.yaml")));
  assert.match(await readFile(join(workspace, "b.flow.yaml"), "utf8"), /# Owned by us/);
});

test("a companion that cannot be read is shown with its place and never overwritten", async (t) => {
  const { json, call, workspace } = await startTestDesigner(t, {
    files: { "a.yaml": yaml, "a.flow.yaml": "category: x\nparams: [\n" },
  });
  const file = await json<FlowFile>("GET", "/designer/flows/a");
  assert.match(file.problem ?? "", /^a\.flow\.yaml:\d+:\d+: /);
  const refused = await call(
    "PUT",
    "/designer/flows/a",
    { yaml, options: { category: "y" } },
    { "If-Match": file.etag },
  );
  assert.equal(refused.status, 422);
  await json("PUT", "/designer/flows/a", { yaml: "# new\n" }, { "If-Match": file.etag });
  assert.equal(await readFile(join(workspace, "a.flow.yaml"), "utf8"), "category: x\nparams: [\n");
});

test("an option that the runtime does not know is refused with the one that was meant", async (t) => {
  const { call } = await startTestDesigner(t);
  const answer = await call("PUT", "/designer/flows/a", { yaml, options: { limts: {} } }, { "If-None-Match": "*" });
  assert.equal(answer.status, 422);
  assert.match(await answer.text(), /there is no option 'limts' \(did you mean 'limits'\?\)/);
});

test("the hash of options is that of their values", async (t) => {
  const { json, workspace } = await startTestDesigner(t, {
    files: { "a.yaml": yaml, "a.flow.yaml": "category: x\nrecord: all\n" },
  });
  const before = await json<FlowFile>("GET", "/designer/flows/a");
  await writeFile(join(workspace, "a.flow.yaml"), "# a comment\nrecord: all\ncategory: x\n");
  const after = await json<FlowFile>("GET", "/designer/flows/a");
  assert.equal(after.optionsHash, before.optionsHash);
  assert.notEqual(after.etag, before.etag);
});

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    ...[
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ],
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), tie("value"), { maxKeys: 3 }),
  ),
})).value;
const options = fc
  .record({ params: value, limits: value, description: fc.string(), tests: value }, { requiredKeys: [] })
  .map((one) => JSON.parse(JSON.stringify(one)) as Options);

test("whatever the options before, those that are written are those that were sent", () => {
  void fc.assert(
    fc.property(options, options, (before, wanted) => {
      const first = writeCompanion("a.flow.yaml", "# about\n", before);
      const text = writeCompanion("a.flow.yaml", first, wanted);
      assert.match(text ?? "", /# about/);
      const read = readCompanion("a.flow.yaml", text);
      assert.equal(read.problem, undefined);
      assert.equal(hashOfOptions(read.options), hashOfOptions(wanted));
      assert.deepEqual(parse(text ?? "") ?? {}, JSON.parse(JSON.stringify(wanted)));
    }),
    { numRuns: 200 },
  );
});
