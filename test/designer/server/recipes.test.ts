/** Recipes: the package's examples, from which flows of the workspace are made. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { parse } from "yaml";
import type { ConnectionDocument } from "../../../designer/shared/connection-document.ts";
import type { Recipe, RecipeGroup, UsedRecipe } from "../../../designer/shared/recipes.ts";
import type { MappingEntry, MappingFile } from "../../../designer/shared/wire.ts";
import { flowTest } from "../../support/flow-test-process.ts";
import { startTestApp } from "../../support/start-app.ts";
import { startTestDesigner, type TestDesigner } from "./support/start-designer.ts";
import { usersFile } from "./support/users-file.ts";

const root = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);
const example = (path: string): Promise<string> => readFile(join(root, "examples", path), "utf8");
const take = ({ json }: TestDesigner, recipe: string, flow = recipe): Promise<UsedRecipe> =>
  json<UsedRecipe>("POST", `/designer/recipes/${recipe}`, { flow });

test("recipes are listed as `bulkhead init --list` groups them, each with what it uses", async (t) => {
  const { json } = await startTestDesigner(t);
  const groups = await json<RecipeGroup[]>("GET", "/designer/recipes");
  const { stdout } = await run(process.execPath, ["src/cli/bulkhead.ts", "init", "--list"], { cwd: root });
  const lines = groups.flatMap(({ title, recipes }) => [
    title,
    ...recipes.map(({ id, title: what }) => `${id} ${what}`),
  ]);
  const printed = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/, " "));
  assert.deepEqual(
    lines,
    printed.slice(0, -2).filter((line) => line !== ""),
  );
  const all = groups.flatMap(({ recipes }) => recipes);
  assert.deepEqual(all.map(({ id }) => id).sort(), (await readdir(join(root, "examples"))).sort());
  for (const { id, purpose, needs, components } of all) {
    assert.match(purpose, /^[A-Z].*\.$/s, id);
    assert.match(needs, /^Needs .*\.$/s, id);
    assert.ok(components.length > 0, id);
    // A placeholder is read as what the params of the recipe have for it.
    for (const name of components) assert.match(name, /^[a-z][a-z0-9-]*$/, id);
  }
  const uses = (id: string) => all.find((one) => one.id === id);
  assert.deepEqual(uses("scatter-gather")?.components, ["http", "webhook"]);
  assert.deepEqual(uses("rest-api-on-a-table")?.components, ["rest", "sql"]);
  const { components, connections } = uses("kafka-to-database") ?? {};
  assert.deepEqual(components, ["kafka", "sql"]);
  assert.deepEqual(connections, [
    { name: "events", kind: "kafka" },
    { name: "warehouse", kind: "postgres" },
  ]);
  assert.deepEqual(uses("router-with-value-mapping")?.mappings, [{ kind: "value", id: "order-words" }]);
});

test("a recipe is its texts, and the files that come beside the flow", async (t) => {
  const { json, call } = await startTestDesigner(t);
  const recipe = await json<Recipe>("GET", "/designer/recipes/table-to-csv-on-sftp");
  assert.equal(recipe.yaml, await example("table-to-csv-on-sftp/table-to-csv-on-sftp.yaml"));
  assert.deepEqual(recipe.routes, ["stock-export", "stock-export-now", "stock-file"]);
  assert.deepEqual(
    recipe.others.map(({ path }) => path),
    [
      "table-to-csv-on-sftp.flow.yaml",
      "documents/connections/partner.json",
      "documents/connections/stock-db.json",
      "tests/table-to-csv-on-sftp.yaml",
    ],
  );
  const none = await call("GET", "/designer/recipes/none");
  assert.deepEqual([none.status, await none.json()], [404, { error: "there is no recipe 'none'" }]);
  assert.equal((await call("GET", "/designer/recipes/..%2fpackage")).status, 404);
});

test("a flow of a recipe's own id has its files as `bulkhead init --from` writes them, and is a draft", async (t) => {
  const designer = await startTestDesigner(t);
  const { flow, written, kept } = await take(designer, "router-with-value-mapping");
  const id = "router-with-value-mapping";
  assert.deepEqual([flow.id, flow.draft, flow.name], [id, true, "Content-based router with value mapping"]);
  const beside = ["documents/value-mappings/order-words.json", `tests/${id}.yaml`];
  assert.deepEqual([written, kept], [[`${id}.yaml`, `${id}.flow.yaml`, ...beside], []]);
  for (const path of written)
    assert.equal(await readFile(join(designer.workspace, path), "utf8"), await example(`${id}/${path}`), path);
  const [mapping] = await designer.json<MappingEntry[]>("GET", "/designer/mappings");
  assert.deepEqual([mapping?.kind, mapping?.id], ["value", "order-words"]);
});

test("under another id what names the flow names that one: connections, tests, and the files", async (t) => {
  const designer = await startTestDesigner(t);
  const { written } = await take(designer, "kafka-to-database", "1e3");
  assert.deepEqual(written, [
    ...["1e3.yaml", "1e3.flow.yaml", "documents/connections/events.json", "documents/connections/warehouse.json"],
    "tests/1e3.yaml",
  ]);
  const read = (path: string): Promise<string> => readFile(join(designer.workspace, path), "utf8");
  assert.equal(await read("1e3.yaml"), await example("kafka-to-database/kafka-to-database.yaml"));
  const before = await example("kafka-to-database/documents/connections/events.json");
  assert.equal(await read("documents/connections/events.json"), before.replace('["kafka-to-database"]', '["1e3"]'));
  assert.equal((parse(await read("tests/1e3.yaml")) as { flow: unknown }).flow, "1e3");
});

test("recipes become flows of any id, which the runtime takes together without a warning, each with its access policy", async (t) => {
  const app = await startTestApp(t);
  const designer = await startTestDesigner(t);
  const groups = await designer.json<RecipeGroup[]>("GET", "/designer/recipes");
  const ids = groups.flatMap(({ recipes }) => recipes.map(({ id }) => id));
  const flows: object[] = [];
  for (const id of ids) {
    const { flow, kept } = await take(designer, id, `my-${id}`);
    assert.deepEqual(kept, [], id);
    flows.push({ ...flow.options, id: flow.id, yaml: flow.yaml });
    const policy = await example(`${id}/documents/auth/${id}.json`).catch(() => undefined);
    assert.deepEqual(flow.options["policy"], policy === undefined ? undefined : JSON.parse(policy), id);
  }
  const mappings = await Promise.all(
    (await designer.json<MappingEntry[]>("GET", "/designer/mappings")).map(async ({ kind, id }) => {
      const { text } = await designer.json<MappingFile>("GET", `/designer/mappings/${kind}/${id}`);
      return { kind, id, text };
    }),
  );
  const connections = await designer.json<ConnectionDocument[]>("GET", "/designer/connections");
  const answer = await app.api("/deployments?dryRun=true", {
    ...{ method: "POST", headers: { "Content-Type": "application/json" } },
    body: JSON.stringify({ flows, mappings, connections }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const plan = (await answer.json()) as { readonly flows: readonly Planned[]; readonly warnings: readonly Warning[] };
  assert.equal(plan.flows.length, ids.length);
  // Who uses a recipe stores its secrets.
  const warnings = [...plan.warnings, ...plan.flows.flatMap((flow) => flow.warnings)];
  assert.deepEqual(
    warnings.filter(({ code }) => code !== "missing_secret"),
    [],
  );
});

interface Warning {
  readonly code: string;
}

interface Planned {
  readonly warnings: readonly Warning[];
}

test("the tests of a recipe with a policy hold for a flow of another id", async (t) => {
  const designer = await startTestDesigner(t);
  await take(designer, "hmac-webhook-to-chat", "mine");
  const { code, stdout, stderr } = await flowTest([join(designer.workspace, "tests")]);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  assert.match(stdout, /a wrong signature is refused before anything runs/);
});

test("what is in the workspace stays: a flow of the id is refused, other files are kept and named", async (t) => {
  const files = {
    "orders.yaml": "- route: {}\n",
    "documents/connections/orders.json": '{"mine": true}\n',
    "tests/webhook-to-postgres.yaml": "mine\n",
  };
  const designer = await startTestDesigner(t, { files });
  const taken = await designer.call("POST", "/designer/recipes/webhook-to-postgres", { flow: "orders" });
  assert.equal(taken.status, 409);
  assert.match(((await taken.json()) as { error: string }).error, /there is a flow 'orders' in the workspace: choose/);
  const { written, kept } = await take(designer, "webhook-to-postgres");
  assert.deepEqual(written, ["webhook-to-postgres.yaml", "webhook-to-postgres.flow.yaml"]);
  assert.deepEqual(kept, ["documents/connections/orders.json", "tests/webhook-to-postgres.yaml"]);
  for (const [path, text] of Object.entries(files))
    assert.equal(await readFile(join(designer.workspace, path), "utf8"), text);
  assert.deepEqual(
    (await readdir(designer.workspace, { recursive: true })).filter((name) => name.endsWith(".tmp")),
    [],
  );
});

test("documents of connections are listed with their content, or with what is wrong with them", async (t) => {
  const designer = await startTestDesigner(t);
  assert.deepEqual(await designer.json("GET", "/designer/connections"), []);
  await take(designer, "webhook-to-postgres", "mine");
  const folder = join(designer.workspace, "documents/connections");
  await writeFile(join(folder, "broken.json"), "{");
  await writeFile(join(folder, "list.json"), "[]");
  await writeFile(join(folder, "no name.json"), "{}");
  await symlink("/etc/hostname", join(folder, "out.json"));
  const [broken, list, orders, out, ...more] = await designer.json<ConnectionDocument[]>(
    "GET",
    "/designer/connections",
  );
  assert.deepEqual(more, []);
  assert.deepEqual(
    [orders?.name, orders?.document?.["kind"], orders?.document?.["flows"]],
    ["orders", "postgres", ["mine"]],
  );
  for (const one of [broken, list]) assert.match(one?.problem ?? "", /is no JSON object: mend it/);
  assert.deepEqual([out?.name, out?.document], ["out", null]);
  assert.match(out?.problem ?? "", /symbolic link out of the workspace/);
});

test("of several who use a recipe for the same id at the same time one does, and the others are refused", async (t) => {
  const designer = await startTestDesigner(t);
  const body = { flow: "mine" };
  const all = await Promise.all([1, 2, 3].map(() => designer.call("POST", "/designer/recipes/scatter-gather", body)));
  assert.deepEqual(all.map(({ status }) => status).sort(), [201, 409, 409]);
});

test("bad ids, folders that are files, and links out of the workspace are refused, and no file is written", async (t) => {
  const designer = await startTestDesigner(t, { files: { tests: "a file\n" } });
  const path = "/designer/recipes/kafka-to-database";
  const refusal = async (body: unknown): Promise<unknown> => {
    const answer = await designer.call("POST", path, body);
    return [answer.status, ((await answer.json()) as { error: string }).error];
  };
  for (const flow of ["", "../x", "a/b", "x.flow", "con"]) {
    const [status, error] = (await refusal({ flow })) as [number, string];
    assert.equal(status, 400, flow);
    assert.match(error, /is not the id of a flow/);
  }
  assert.deepEqual(await refusal({}), [400, "the body is not as it should be: flow: must be a text"]);
  assert.deepEqual(await refusal({ flow: "a" }), [
    422,
    "there is a file where the folder 'tests' has to be: rename it",
  ]);
  const outside = await mkdtemp(join(tmpdir(), "bulkhead-outside-"));
  t.after(() => rm(outside, { recursive: true }));
  await rm(join(designer.workspace, "documents"), { recursive: true });
  await symlink(outside, join(designer.workspace, "documents"));
  assert.deepEqual(await refusal({ flow: "a" }), [
    422,
    "'documents' is a symbolic link out of the workspace, or to nothing: put the folder itself there",
  ]);
  assert.deepEqual(await readdir(outside), []);
  assert.deepEqual(await designer.json("GET", "/designer/flows"), []);
});

test("viewers look at recipes, and only editors use them", async (t) => {
  const designer = await startTestDesigner(t, { env: { DESIGNER_USERS: await usersFile(t) } });
  assert.equal((await designer.call("GET", "/designer/recipes")).status, 401);
  for (const [user, status] of [
    ["viewer", 403],
    ["editor", 201],
  ] as const) {
    const login = await designer.call("POST", "/designer/login", { user, password: `password of ${user}` });
    const Cookie = login.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
    assert.equal((await designer.call("GET", "/designer/recipes/scatter-gather", undefined, { Cookie })).status, 200);
    const used = await designer.call("POST", "/designer/recipes/scatter-gather", { flow: "mine" }, { Cookie });
    assert.equal(used.status, status);
  }
});
