/** The workspace: flows as files, changed by the page and by other programs, and nothing overwritten in silence. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Conflict, FlowEntry, FlowFile } from "../../../designer/shared/wire.ts";
import { startTestDesigner } from "./support/start-designer.ts";

const yaml = "- route:\n    id: a\n    from: { uri: webhook, steps: [] }\n";
const newFlow = { "If-None-Match": "*" };

test("a new flow is two files, listed with its name, category and hashes", async (t) => {
  const { json, call, workspace } = await startTestDesigner(t);
  const options = { description: "Orders", category: "shop", params: { crm: "x" } };
  const made = await call("PUT", "/designer/flows/orders", { yaml, options, draft: true }, newFlow);
  assert.equal(made.status, 201);
  const file = (await made.json()) as FlowFile;
  assert.equal(made.headers.get("etag"), file.etag);
  assert.equal(await readFile(join(workspace, "orders.yaml"), "utf8"), yaml);
  assert.match(await readFile(join(workspace, "orders.flow.yaml"), "utf8"), /^description: Orders\ncategory: shop\n/);
  const [entry] = await json<FlowEntry[]>("GET", "/designer/flows");
  const { yaml: _, options: __, companion: ___, ...listed } = file;
  assert.deepEqual(entry, listed);
  assert.deepEqual(
    [entry?.name, entry?.category, entry?.draft, entry?.hash],
    ["Orders", "shop", true, createHash("sha256").update(yaml).digest("hex")],
  );
});

test("a save without draft ends the draft, also after a new start", async (t) => {
  const { json } = await startTestDesigner(t);
  const { etag } = await json<FlowFile>("PUT", "/designer/flows/a", { yaml, draft: true }, newFlow);
  const saved = await json<FlowFile>("PUT", "/designer/flows/a", { yaml }, { "If-Match": etag });
  assert.equal(saved.draft, false);
});

test("a flow that changed on the disk is answered 412 with what is there, and stays as it is", async (t) => {
  const { call, json, workspace } = await startTestDesigner(t, {
    files: { "a.yaml": yaml, "a.flow.yaml": "category: x\n" },
  });
  const { etag } = await json<FlowFile>("GET", "/designer/flows/a");
  await writeFile(join(workspace, "a.flow.yaml"), "category: y # by hand\n");
  const answer = await call("PUT", "/designer/flows/a", { yaml: "- other: 1\n" }, { "If-Match": etag });
  assert.equal(answer.status, 412);
  const { error, current } = (await answer.json()) as Conflict;
  assert.match(error, /was changed meanwhile/);
  assert.deepEqual([current?.yaml, current?.options], [yaml, { category: "y" }]);
  assert.equal(await readFile(join(workspace, "a.yaml"), "utf8"), yaml);
  await call("PUT", "/designer/flows/a", { yaml: "- other: 1\n" }, { "If-Match": current?.etag ?? "" });
  assert.equal(await readFile(join(workspace, "a.yaml"), "utf8"), "- other: 1\n");
});

test("neither a change without a version nor a new flow over an old one is taken", async (t) => {
  const { call, workspace } = await startTestDesigner(t, { files: { "a.yaml": yaml, "b.flow.yaml": "category: x\n" } });
  assert.equal((await call("PUT", "/designer/flows/a", { yaml: "x" })).status, 428);
  assert.equal((await call("PUT", "/designer/flows/a", { yaml: "x" }, newFlow)).status, 412);
  assert.equal((await call("PUT", "/designer/flows/c", { yaml: "x" }, { "If-Match": '"0"' })).status, 412);
  assert.equal((await call("PUT", "/designer/flows/A", { yaml: "x" }, newFlow)).status, 409);
  assert.equal((await call("PUT", "/designer/flows/b", { yaml: "x", options: {} }, newFlow)).status, 409);
  assert.equal((await call("DELETE", "/designer/flows/a")).status, 428);
  assert.equal((await call("DELETE", "/designer/flows/a", undefined, { "If-Match": '"0"' })).status, 412);
  assert.deepEqual((await readdir(workspace)).sort(), [".designer", "a.yaml", "b.flow.yaml"]);
  assert.equal(await readFile(join(workspace, "a.yaml"), "utf8"), yaml);
});

test("two saves of one version: one is written, the other is answered 412", async (t) => {
  const { call, json, workspace } = await startTestDesigner(t, { files: { "a.yaml": yaml } });
  const { etag } = await json<FlowFile>("GET", "/designer/flows/a");
  const texts = ["one", "two", "three", "four"].map((name) => `# ${name}\n`);
  const answers = await Promise.all(
    texts.map((text) => call("PUT", "/designer/flows/a", { yaml: text }, { "If-Match": etag })),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 412, 412, 412]);
  assert.equal(await readFile(join(workspace, "a.yaml"), "utf8"), texts[statuses.indexOf(200)]);
});

test("a deleted flow is gone with its companion, its examples and its records", async (t) => {
  const { call, json, workspace } = await startTestDesigner(t, {
    files: { "a.yaml": yaml, "a.flow.yaml": "category: x\n" },
  });
  await json("PUT", "/designer/examples/a", { examples: [{ name: "one", body: "1" }] });
  const { etag } = await json<FlowFile>("GET", "/designer/flows/a");
  assert.equal((await call("DELETE", "/designer/flows/a", undefined, { "If-Match": etag })).status, 200);
  assert.deepEqual(await readdir(workspace), [".designer"]);
  assert.deepEqual(await readdir(join(workspace, ".designer", "examples")), []);
  assert.equal((await call("GET", "/designer/flows/a")).status, 404);
});

test("names that are no flows are listed with what to do, and hidden files are not", async (t) => {
  const names = [
    "My Flow.yaml",
    "b.yml",
    "c.flow.yaml",
    "nul.yaml",
    "Same.yaml",
    "same.yaml",
    ".hidden.yaml",
    "notes.txt",
  ];
  const { json, call } = await startTestDesigner(t, {
    files: Object.fromEntries(names.map((name) => [name, "- x: 1\n"])),
  });
  const list = await json<FlowEntry[]>("GET", "/designer/flows");
  assert.deepEqual(
    list.map(({ id, problem }) => [id, problem === undefined]),
    [
      ["My Flow.yaml", false],
      ["Same", true],
      ["b.yml", false],
      ["c.flow.yaml", false],
      ["nul.yaml", false],
      ["same.yaml", false],
    ],
  );
  for (const { problem } of list) if (problem !== undefined) assert.match(problem, /rename/);
  for (const id of ["..", "a..b", "nul", "x.flow", "%2e%2e%2fetc", ".hidden"])
    assert.ok([400, 404].includes((await call("GET", `/designer/flows/${id}`)).status), id);
});

test("symbolic links out of the workspace are neither read nor written", async (t) => {
  const { json, call, workspace } = await startTestDesigner(t);
  const outside = `${workspace}-outside`;
  await mkdir(outside);
  t.after(() => rm(outside, { recursive: true }));
  await writeFile(join(outside, "secret.yaml"), "password: 1\n");
  await symlink(join(outside, "secret.yaml"), join(workspace, "a.yaml"));
  await symlink(join(outside, "new.yaml"), join(workspace, "b.yaml"));
  const list = await json<FlowEntry[]>("GET", "/designer/flows");
  assert.deepEqual(
    list.map(({ problem }) => /symbolic link/.test(problem ?? "")),
    [true, true],
  );
  assert.equal((await call("GET", "/designer/flows/a")).status, 422);
  for (const id of ["a", "b"])
    assert.equal((await call("PUT", `/designer/flows/${id}`, { yaml }, newFlow)).status, 422);
  assert.deepEqual(await readdir(outside), ["secret.yaml"]);
});

test("files that are too large, not UTF-8 or no files are refused with a reason", async (t) => {
  const { json, call, workspace } = await startTestDesigner(t);
  await writeFile(join(workspace, "large.yaml"), "#".repeat(1024 * 1024 + 1));
  await writeFile(join(workspace, "latin.yaml"), Buffer.from([0x23, 0xe4, 0x0a]));
  await mkdir(join(workspace, "folder.yaml"));
  const list = await json<FlowEntry[]>("GET", "/designer/flows");
  assert.deepEqual(
    list.map(({ id, problem }) => [id, problem !== undefined]),
    [
      ["folder.yaml", true],
      ["large.yaml", true],
      ["latin.yaml", true],
    ],
  );
  const answer = await call("PUT", "/designer/flows/b", { yaml: "#".repeat(1024 * 1024 + 1) }, newFlow);
  assert.equal(answer.status, 413);
  assert.equal((await call("PUT", "/designer/flows/b", { yaml: "\ud800" }, newFlow)).status, 422);
});

test("what a write was cut off from leaves behind is removed at the next start, and an odd state is put aside", async (t) => {
  const { workspace, close } = await startTestDesigner(t);
  await close();
  await writeFile(join(workspace, ".a.yaml.0123456789ab.tmp"), "half");
  await writeFile(join(workspace, ".designer", "state.json"), "{");
  const again = await startTestDesigner(t, { env: { WORKSPACE: workspace } });
  assert.deepEqual(await again.json("GET", "/designer/flows"), []);
  assert.deepEqual(await readdir(workspace), [".designer"]);
  const names = await readdir(join(workspace, ".designer"));
  assert.ok(
    names.some((name) => name.startsWith("state.json.aside-")),
    names.join(),
  );
  assert.match(again.lines.join(), /state\.json cannot be read/);
});

test("a file with two names is not changed under the other one", async (t) => {
  const { json, workspace } = await startTestDesigner(t, { files: { "a.yaml": yaml } });
  await link(join(workspace, "a.yaml"), join(workspace, "kept.txt"));
  const { etag } = await json<FlowFile>("GET", "/designer/flows/a");
  await json("PUT", "/designer/flows/a", { yaml: "# new\n" }, { "If-Match": etag });
  assert.equal(await readFile(join(workspace, "kept.txt"), "utf8"), yaml);
});
