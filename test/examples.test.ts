/** The examples: each folder is whole, and is accepted without a warning (examples-run.test.ts runs their tests). */
import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { readTestFile } from "../src/control/flow-test/test-file.ts";
import { startTestApp } from "./support/start-app.ts";

const folder = fileURLToPath(new URL("../examples/", import.meta.url));
const ids = readdirSync(folder).sort();
const textOf = (id: string, path: string): string => readFileSync(`${folder}${id}/${path}`, "utf8");
const json = { "Content-Type": "application/json" };

test("an example's folder is named after its flow, and has what an example has", () => {
  assert.ok(ids.length >= 12);
  for (const id of ids) {
    const own = [`${id}.yaml`, `${id}.flow.yaml`, "documents", "tests"];
    for (const name of readdirSync(`${folder}${id}`)) assert.ok(own.includes(name), `${id}/${name} is no part of it`);
    const [head = ""] = /^(?:# .*\n|# {3}.*\n)+/.exec(textOf(id, `${id}.yaml`)) ?? [];
    const lines = head.split("\n").length - 1;
    assert.ok(lines >= 2 && lines <= 5, `${id}: the flow begins with a comment of two to five lines`);
    assert.match(head, /\bSet: /, `${id}: its comment says what to set`);
    const { flow, tests } = readTestFile(`${folder}${id}/tests/${id}.yaml`);
    assert.equal(flow, id);
    const fails = tests.some(
      ({ mocks, expect }) => JSON.stringify(mocks ?? []).includes('"throw"') || Number(expect?.status) >= 400,
    );
    assert.ok(fails, `${id}: a test shows what happens when something fails`);
  }
});

test("every example is accepted without a problem or a warning, with its params and its documents", async (t) => {
  const app = await startTestApp(t);
  const installed = new Set<string>();
  for (const id of ids) {
    for (const kind of ["connections", "value-mappings", "message-mappings", "auth"])
      for (const file of globSync(`documents/${kind}/*.json`, { cwd: `${folder}${id}` })) {
        const path = file.replace(/^documents/, "").replace(/\.json$/, "");
        const answer = await app.api(path, { method: "PUT", headers: json, body: textOf(id, file) });
        const text = await answer.text();
        assert.ok(answer.ok, `${id}${path}: ${text}`);
        const { warnings = [] } = JSON.parse(text) as { warnings?: { code: string }[] };
        // Who takes the example stores the secrets.
        const others = warnings.filter(({ code }) => code !== "missing_secret");
        assert.deepEqual(others, [], `${id}${path}`);
        assert.ok(
          !installed.has(path),
          `${id}${path}: another example has a document of this name, and both could not be deployed`,
        );
        installed.add(path);
      }
    const companion = parse(textOf(id, `${id}.flow.yaml`)) as Record<string, unknown>;
    const body = JSON.stringify({ ...companion, yaml: textOf(id, `${id}.yaml`) });
    const answer = await app.api(`/flows/${id}/validate`, { method: "POST", headers: json, body });
    const { diagnostics } = (await answer.json()) as { diagnostics?: unknown };
    assert.deepEqual([id, answer.status, diagnostics], [id, 200, []]);
  }
});

test("examples can be deployed side by side: no two have a route or an endpoint of the same name", () => {
  const names = ids.flatMap((id) => [
    ...textOf(id, `${id}.yaml`).matchAll(/^- route:\n {4}id: (\S+)$|^ {6}uri: (direct:\S+)$/gm),
  ]);
  const all = names.map(([, route, endpoint]) => route ?? endpoint);
  assert.ok(all.length > ids.length);
  assert.deepEqual(
    all.filter((name, at) => all.indexOf(name) !== at),
    [],
  );
});

test("the page of examples lists each of them, and the index of the docs leads there", () => {
  const page = readFileSync(new URL("../docs/examples.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| \[([\w-]+)\]\(\.\.\/examples\/([\w-]+)\/\2\.yaml\) \| \*\*/gm)];
  assert.deepEqual(listed.map(([, id]) => id).sort(), ids);
  assert.match(readFileSync(new URL("../docs/README.md", import.meta.url), "utf8"), /\(examples\.md\)/);
});
