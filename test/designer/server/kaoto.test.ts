/** The catalogue for Kaoto has the shape of @kaoto/camel-catalog, and is made of what the runtime has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp, token } from "../../support/start-app.ts";
import { startTestDesigner } from "./support/start-designer.ts";

type Fields = Readonly<Record<string, unknown>>;
type Files = Readonly<Record<string, Readonly<Record<string, Fields>>>>;

/** As @kaoto/camel-catalog 0.10.4 has them. */
const versionKeys = [
  "version",
  "executorVersion",
  "cliVersion",
  "camelCatalogVersion",
  "runtimeProviderVersion",
  "frameworkVersion",
];
const catalogNames = [
  ...["components", "dataformats", "entities", "functions", "kameletBoundaries", "kamelets", "languages"],
  ...["loadbalancers", "models", "patterns"],
];
const propertyKeys = [
  ...["index", "kind", "displayName", "group", "required", "type", "javaType", "deprecated", "autowired", "secret"],
  "description",
];

test("Kaoto reads the steps, components and languages of the runtime from the designer", async (t) => {
  const app = await startTestApp(t);
  const designer = await startTestDesigner(t, { env: { RUNTIME_URL: app.url, SERVICE_DEPLOY_TOKEN: token } });
  // Kaoto in VS Code is no page of the designer.
  const read = async <T>(file: string): Promise<T> => {
    const answer = await fetch(`${designer.url}/designer/catalog/${file}`);
    assert.equal(answer.status, 200, file);
    return (await answer.json()) as T;
  };
  const index = await read<{ version: number; name: string; definitions: readonly (Fields & { fileName: string })[] }>(
    "index.json",
  );
  assert.deepEqual(Object.keys(index).sort(), ["definitions", "name", "version"]);
  const [definition = assert.fail()] = index.definitions;
  assert.deepEqual(Object.keys(definition).sort(), [...versionKeys, "fileName", "name", "runtime"].sort());
  assert.equal(definition["runtime"], "Main");

  const folder = definition.fileName.replace(/[^/]*$/, "");
  const own = await read<{ catalogs: Record<string, { file: string }>; schemas: Record<string, { file: string }> }>(
    definition.fileName,
  );
  assert.deepEqual(Object.keys(own).sort(), [...versionKeys, "catalogs", "name", "runtime", "schemas"].sort());
  assert.deepEqual(Object.keys(own.catalogs).sort(), catalogNames);
  const files: Record<string, Files[string]> = {};
  for (const [name, entry] of Object.entries({ ...own.catalogs, ...own.schemas })) {
    assert.deepEqual(Object.keys(entry).sort(), ["description", "file", "name", "version"]);
    files[name] = await read(`${folder}${entry.file}`);
  }

  const catalog = (await (await app.api("/catalog")).json()) as Record<string, readonly { name: string }[]>;
  const names = (kind: string) => catalog[kind]?.map(({ name }) => name).sort();
  const keys = (file: string) => Object.keys(files[file] ?? {}).sort();
  assert.deepEqual(keys("patterns"), names("steps"));
  assert.deepEqual(keys("components"), names("components"));
  assert.deepEqual(keys("languages"), names("languages"));
  assert.deepEqual(keys("dataformats"), names("formats"));
  assert.deepEqual(keys("kamelets"), names("kamelets"));
  assert.deepEqual(keys("entities"), [...(names("elements") ?? []), "from"].sort());
  for (const step of ["to", "valueMapping", "messageMapping"]) {
    assert.ok(files["patterns"]?.[step] !== undefined, step);
    assert.ok(files["models"]?.[step] !== undefined, step);
  }
  assert.ok(files["components"]?.["webhook"] !== undefined);

  for (const [name, component] of Object.entries(files["components"] ?? {})) {
    const expected = ["component", "componentProperties", "headers", "properties", "propertiesSchema"];
    assert.deepEqual(Object.keys(component).sort(), expected, name);
    assert.equal((component["component"] as Fields)["scheme"], name);
  }
  for (const file of ["patterns", "languages", "dataformats", "entities"]) {
    for (const [name, entry] of Object.entries(files[file] ?? {})) {
      assert.deepEqual(Object.keys(entry).sort(), ["model", "properties", "propertiesSchema"], name);
      const { kind, title, description } = entry["model"] as Fields;
      assert.deepEqual([kind, typeof title, typeof description], ["model", "string", "string"]);
      for (const [option, property] of Object.entries(entry["properties"] as Record<string, Fields>))
        for (const key of propertyKeys) assert.ok(Object.hasOwn(property, key), `${name}.${option}: ${key}`);
    }
  }
  const delay = files["patterns"]?.["delay"]?.["propertiesSchema"] as { anyOf: [{ format: string; oneOf: object[] }] };
  assert.deepEqual([delay.anyOf[0].format, delay.anyOf[0].oneOf.length], ["expression", catalog["languages"]?.length]);
  const { properties } = files["patterns"]?.["valueMapping"] as { properties: Record<string, Fields> };
  assert.deepEqual(properties["onMissing"]?.["enum"], ["error", "default", "passthrough", "null"]);
  assert.equal((files["components"]?.["timer"]?.["component"] as Fields)["syntax"], "timer:timerName");

  assert.equal((await fetch(`${designer.url}/designer/catalog/default/nothing.json`)).status, 404);
  assert.equal((await fetch(`${designer.url}/designer/catalog/nobody/index.json`)).status, 404);
  const foreign = await fetch(`${designer.url}/designer/catalog/index.json`, {
    headers: { "Sec-Fetch-Site": "cross-site" },
  });
  assert.equal(foreign.status, 403, "pages of other sites get no answers");
});

test("a view of VS Code reads the catalogue from its own origin, and nothing else; sites do not", async (t) => {
  const app = await startTestApp(t);
  const { url } = await startTestDesigner(t, { env: { RUNTIME_URL: app.url, SERVICE_DEPLOY_TOKEN: token } });
  const get = (path: string, origin: string) =>
    fetch(`${url}${path}`, { headers: { Origin: origin, "Sec-Fetch-Site": "cross-site" } });
  const view = "vscode-webview://0c8h5v0r6tk9";
  for (const file of ["index.json", "default/patterns.json"]) {
    const answer = await get(`/designer/catalog/${file}`, view);
    assert.deepEqual(
      [answer.status, answer.headers.get("access-control-allow-origin"), answer.headers.get("vary")],
      [200, view, "Origin"],
    );
    assert.equal(answer.headers.get("cross-origin-resource-policy"), "cross-origin");
  }
  for (const origin of ["https://example.org", "null", "https://vscode-webview.example.org", "vscode-webview://a/b"]) {
    const answer = await get("/designer/catalog/index.json", origin);
    assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [403, null], origin);
  }
  assert.equal((await get("/designer/flows", view)).status, 403);
  assert.equal((await get("/targets/default/_api/catalog", view)).status, 403);
});
