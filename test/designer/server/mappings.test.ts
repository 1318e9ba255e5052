/** Mappings of the workspace: files that the page and other programs change, and nothing overwritten in silence. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { FlowEntry, MappingConflict, MappingEntry, MappingFile } from "../../../designer/shared/wire.ts";
import { startTestDesigner, type TestDesigner } from "./support/start-designer.ts";

const path = "/designer/mappings/value/codes";
const fresh = { "If-None-Match": "*" };
const text = '{ "name": "Codes", "entries": { "A": "one" } }\n';

const folder = ({ workspace }: TestDesigner, kind = "value"): string =>
  join(workspace, "documents", `${kind}-mappings`);

test("a mapping is written as it was sent, where test files of flows look for it, and is a draft until it is saved", async (t) => {
  const designer = await startTestDesigner(t);
  const made = await designer.call("PUT", path, { text, draft: true }, fresh);
  assert.equal(made.status, 201);
  const file = (await made.json()) as MappingFile;
  assert.equal(await readFile(join(folder(designer), "codes.json"), "utf8"), text);
  const hash = createHash("sha256").update(text).digest("hex");
  assert.deepEqual([file.name, file.draft, file.hash, file.text], ["Codes", true, hash, text]);
  const { text: _, ...entry } = file;
  assert.deepEqual(await designer.json<MappingEntry[]>("GET", "/designer/mappings"), [entry]);
  const saved = await designer.json<MappingFile>("PUT", path, { text: "{}" }, { "If-Match": file.etag });
  assert.deepEqual([saved.draft, saved.name, saved.text], [false, "codes", "{}"]);
  const record = { target: "default", hash: saved.hash, revision: 3 };
  const noted = await designer.json<MappingEntry>("POST", `${path}/deployed`, record);
  assert.deepEqual([noted.deployed["default"]?.hash, noted.deployed["default"]?.revision], [saved.hash, 3]);
  assert.equal((await designer.call("DELETE", path, undefined, { "If-Match": saved.etag })).status, 200);
  assert.deepEqual(await readdir(folder(designer)), []);
  assert.equal((await designer.call("GET", path)).status, 404);
});

test("one that changed on the disk is answered 412 with what is there, and stays as it is", async (t) => {
  const designer = await startTestDesigner(t);
  const { etag } = await designer.json<MappingFile>("PUT", path, { text }, fresh);
  await writeFile(join(folder(designer), "codes.json"), '{"by": "hand"}');
  const answer = await designer.call("PUT", path, { text: "{}" }, { "If-Match": etag });
  assert.equal(answer.status, 412);
  const { error, current } = (await answer.json()) as MappingConflict;
  assert.match(error, /value mapping 'codes' was changed meanwhile/);
  assert.equal(current?.text, '{"by": "hand"}');
  const statuses = await Promise.all(
    ["1", "2", "3"].map((one) => designer.call("PUT", path, { text: one }, { "If-Match": current?.etag ?? "" })),
  );
  assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, 412, 412]);
  assert.equal((await designer.call("PUT", path, { text }, fresh)).status, 412);
  assert.equal((await designer.call("PUT", path, { text })).status, 428);
  assert.equal((await designer.call("DELETE", path)).status, 428);
  assert.equal((await designer.call("DELETE", path, undefined, { "If-Match": etag })).status, 412);
  assert.equal((await designer.call("PUT", "/designer/mappings/value/CODES", { text }, fresh)).status, 409);
  assert.equal((await designer.call("PUT", "/designer/mappings/other/codes", { text }, fresh)).status, 404);
  assert.equal((await designer.call("PUT", "/designer/mappings/value/..%2fcodes", { text }, fresh)).status, 400);
});

test("files that cannot be used are listed with what to do, and links out of the workspace are not followed", async (t) => {
  const designer = await startTestDesigner(t);
  await mkdir(folder(designer, "message"), { recursive: true });
  await mkdir(folder(designer), { recursive: true });
  await writeFile(join(folder(designer, "message"), "broken.json"), "{");
  await writeFile(join(folder(designer), "no id.json"), "{}");
  await writeFile(join(folder(designer), "notes.txt"), "x");
  await symlink("/etc/hostname", join(folder(designer), "out.json"));
  const list = await designer.json<MappingEntry[]>("GET", "/designer/mappings");
  assert.deepEqual(
    list.map(({ kind, id }) => `${kind} ${id}`),
    ["value no id.json", "value out.json", "message broken"],
  );
  assert.match(list[0]?.problem ?? "", /rename it/);
  assert.match(list[1]?.problem ?? "", /symbolic link out of the workspace/);
  assert.match(list[2]?.problem ?? "", /not JSON/);
});

test("flows and message mappings are listed with the mappings that they name", async (t) => {
  const yaml = `- route:
    id: a
    from:
      uri: webhook
      steps:
        - valueMapping: { id: by-step, from: a, to: b }
        - messageMapping: short
        - to: "mapping:by-endpoint?x=1"
        - to: { uri: mapping, parameters: { id: by-parameter } }
        - log: "\${vmap:by-simple:a:b:\${body}} \${vmap:'quoted':'x'} \${body}"
        - setBody: { jsonata: "$vmap('by-jsonata', 'a', 'b', x)" }
        - setBody: { constant: "valueMapping: no" }
`;
  const designer = await startTestDesigner(t, { files: { "a.yaml": yaml, "b.yaml": "- : [vmap" } });
  const [a, b] = await designer.json<FlowEntry[]>("GET", "/designer/flows");
  assert.deepEqual(
    a?.mappings.map(({ kind, id }) => `${kind} ${id}`),
    [
      ...["value by-step", "message short", "message by-endpoint", "message by-parameter", "value by-simple"],
      ...["value quoted", "value by-jsonata"],
    ],
  );
  assert.deepEqual(b?.mappings, []);
  const rules = { rules: [{ target: "/a", expr: "$vmap('codes', 'a', 'b', x) & $vmap(\"more\",'a','b',y)" }] };
  const { uses } = await designer.json<MappingFile>(
    "PUT",
    "/designer/mappings/message/order",
    { text: JSON.stringify(rules) },
    fresh,
  );
  assert.deepEqual(uses, [
    { kind: "value", id: "codes" },
    { kind: "value", id: "more" },
  ]);
});
