/** The table of endpoints: the methods at each path, and the documents of the runtime about itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointTable } from "../../../src/control/api/index.ts";
import type { Services } from "../../../src/control/api/services.ts";
import { limitNames } from "../../../src/shared/limits.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { requestRaw } from "../http/raw.ts";
import { assertError, send } from "./calls.ts";

const table = endpointTable({ streams: {}, limits: {} } as Services, () => ({}));
const below = (path: string): string => path.slice("/_api".length).replaceAll(/:\w+/g, "orders");

test("the endpoints", async (t) => {
  const app = await startTestApp(t, { operator: { LIMIT_QUEUE_CEILING: "2000" } });

  await t.test("refuse other methods of each path and list the allowed ones", async () => {
    for (const { path } of table) {
      // A name may stand where another path has an id: /failed/retry and /failed/:id.
      const fits = (other: string): boolean => new RegExp(`^${other.replaceAll(/:\w+/g, "[^/]+")}$`).test(path);
      const there = table.filter((one) => fits(one.path));
      const methods = there.map(({ method }) => method);
      const headers = { "Content-Type": "text/plain" };
      const answer = await send(app, "PATCH", below(path), { body: "x", headers });
      const allow = answer.headers.get("allow")?.split(", ") ?? [];
      await assertError(answer, 405, "method_not_allowed");
      for (const method of methods) assert.ok(allow.includes(method), `${path}: ${method}`);
      assert.equal(
        allow.includes("HEAD"),
        there.some(({ method, head }) => method === "GET" && head !== false),
        path,
      );
      const options = await send(app, "OPTIONS", below(path));
      assert.deepEqual([options.status, options.headers.get("allow")], [204, allow.join(", ")], path);
    }
    for (const method of ["TRACE", "QUERY", "PROPFIND"]) {
      const port = Number(new URL(app.url).port);
      const answer = await requestRaw(port, `${method} /_api/flows HTTP/1.1`, [`Authorization: Bearer ${token}`]);
      assert.equal(answer.status, 405, method);
    }
  });

  await t.test("return each limit with its current value, sorted by name", async () => {
    const rows = (await (await send(app, "GET", "/limits")).json()) as { name: string; docs: string }[];
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...limitNames].sort(),
    );
    const { docs, ...queue } = rows.find(({ name }) => name === "queue") ?? { docs: "" };
    assert.match(docs, /./);
    const shape = { unit: "count", variable: "LIMIT_QUEUE" };
    assert.deepEqual(queue, { name: "queue", value: 1000, default: 1000, ceiling: 2000, ...shape });
  });

  await t.test("return the metrics as text for Prometheus", async () => {
    const metrics = await send(app, "GET", "/metrics");
    assert.equal(metrics.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert.match(await metrics.text(), /^# HELP /);
  });

  await t.test("return the catalogue and the schema of flows", async () => {
    const catalog = (await (await send(app, "GET", "/catalog")).json()) as Record<string, { name: string }[]>;
    for (const [list, name] of [
      ["steps", "log"],
      ["components", "timer"],
      ["languages", "simple"],
      ["formats", "json"],
      ["elements", "intercept"],
      ["kamelets", "log-sink"],
    ] as const) {
      const entry = catalog[list]?.find((one) => one.name === name) as Record<string, unknown> | undefined;
      assert.ok(typeof entry?.["docs"] === "string" && typeof entry["schema"] === "object", `${list}: ${name}`);
    }
    const schema = await (await send(app, "GET", "/flow-schema.json")).text();
    assert.equal(
      (JSON.parse(schema) as Record<string, unknown>)["$schema"],
      "https://json-schema.org/draft/2020-12/schema",
    );
    assert.match(schema, /"setBody"/);
  });

  await t.test("return a valid X-Request-Id", async () => {
    const idFor = async (id: string): Promise<string> =>
      (await send(app, "GET", "/limits", { headers: { "X-Request-Id": id } })).headers.get("x-request-id") ?? "";
    assert.equal(await idFor("abc-1"), "abc-1");
    assert.match(await idFor("a b<c>"), /^[0-9a-f]{16}$/);
  });
});
