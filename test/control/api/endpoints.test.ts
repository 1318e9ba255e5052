import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointTable } from "../../../src/control/api/index.ts";
import type { Services } from "../../../src/control/api/services.ts";
import { limitNames } from "../../../src/shared/limits.ts";
import { requestRaw } from "../http/raw.ts";
import { assertError } from "./calls.ts";
import { openApi, token } from "./services.ts";

const table = endpointTable({ streams: {}, limits: {} } as Services, () => ({}));
const concrete = (path: string): string => path.replaceAll(/:\w+/g, "orders");

/** The endpoints of the specification, which the table must have. */
const specified = [
  "GET /_api/health",
  "GET /_api/flows",
  "PUT /_api/flows/:id",
  "DELETE /_api/flows/:id",
  "GET /_api/runs",
  "GET /_api/value-mappings",
  "PUT /_api/value-mappings/:id",
  "DELETE /_api/value-mappings/:id",
  "GET /_api/message-mappings",
  "PUT /_api/message-mappings/:id",
  "DELETE /_api/message-mappings/:id",
  "PUT /_api/auth/:flowId",
  "GET /_api/auth/:flowId",
  "DELETE /_api/auth/:flowId",
  "GET /_api/trace/stream",
  "GET /_api/logs/stream",
  "POST /_api/test/session",
  "DELETE /_api/test/session/:id",
  "POST /_api/test/invoke",
];

describe("the table of endpoints", () => {
  it("has each endpoint of the specification once", () => {
    const listed = table.map(({ method, path }) => `${method} ${path}`);
    for (const one of specified) assert.ok(listed.includes(one), one);
    assert.equal(new Set(listed).size, listed.length);
  });

  it("requires the token for all endpoints but the open one", async (t) => {
    const { url } = await openApi(t);
    for (const { method, path, open } of table) {
      const response = await fetch(url + concrete(path), { method });
      if (open) assert.equal(response.status, 200);
      else assert.equal(await assertError(response, 401, "unauthorized"), "unauthorized");
    }
    assert.deepEqual(
      table.filter(({ open }) => open).map(({ path }) => path),
      ["/_api/health"],
    );
  });

  it("refuses other methods of each path and lists the allowed ones", async (t) => {
    const { port, send } = await openApi(t);
    for (const { path } of table) {
      const methods = table.filter((one) => one.path === path).map(({ method }) => method);
      const response = await send("PATCH", concrete(path), { body: "x", headers: { "Content-Type": "text/plain" } });
      const allow = response.headers.get("allow")?.split(", ") ?? [];
      await assertError(response, 405, "method_not_allowed");
      for (const method of methods) assert.ok(allow.includes(method), `${path}: ${method}`);
      assert.equal(allow.includes("HEAD"), methods.includes("GET") && !path.endsWith("/stream"), path);
      const options = await send("OPTIONS", concrete(path));
      assert.equal(options.status, 204);
      assert.equal(options.headers.get("allow"), allow.join(", "));
    }
    for (const method of ["TRACE", "QUERY", "PROPFIND"]) {
      const answer = await requestRaw(port, `${method} /_api/flows HTTP/1.1`, [`Authorization: Bearer ${token}`]);
      assert.equal(answer.status, 405, method);
    }
  });
});

describe("endpoints with an id", () => {
  it("refuse invalid ids", async (t) => {
    const { send } = await openApi(t);
    await assertError(await send("PUT", "/_api/value-mappings/-x", { body: {} }), 400, "bad_id");
    await assertError(await send("GET", "/_api/auth/con"), 400, "bad_id");
  });
});

describe("the other documents", () => {
  it("limits: every row with its current value, sorted by name", async (t) => {
    const { send } = await openApi(t);
    const rows = (await (await send("GET", "/_api/limits")).json()) as { name: string }[];
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...limitNames].sort(),
    );
    const row = rows.find(({ name }) => name === "queue");
    assert.deepEqual(
      { ...row, docs: "" },
      {
        name: "queue",
        value: 1000,
        default: 1000,
        unit: "count",
        ceiling: 9,
        variable: "LIMIT_QUEUE",
        docs: "",
      },
    );
  });

  it("metrics, catalogue and flow schema", async (t) => {
    const { send } = await openApi(t);
    const metrics = await send("GET", "/_api/metrics");
    assert.equal(metrics.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert.equal(await metrics.text(), "# HELP x\n");
    const catalog = (await (await send("GET", "/_api/catalog")).json()) as Record<string, object[]>;
    assert.deepEqual(catalog["steps"], [
      { name: "log", docs: "Logs.", example: "log: x", schema: { type: "object", properties: { a: {} } } },
    ]);
    assert.equal(catalog["components"]?.length, 1);
    const intercept = { name: "intercept", docs: "Intercepts.", example: "- intercept: {}", schema: {} };
    assert.deepEqual(catalog["elements"], [intercept]);
    assert.deepEqual(catalog["kamelets"], [{ name: "log-sink", docs: "Logs.", schema: {} }]);
    assert.deepEqual(await (await send("GET", "/_api/flow-schema.json")).json(), {
      type: "array",
      $schema: "https://json-schema.org/draft/2020-12/schema",
    });
  });

  it("streams get the socket and the query, and their refusals are ordinary errors", async (t) => {
    const { send } = await openApi(t);
    for (const [path, stream] of [
      ["/_api/trace/stream", "trace"],
      ["/_api/logs/stream", "log"],
    ] as const) {
      const response = await send("GET", `${path}?flowId=a&flowId=b&replay=5`);
      assert.equal(response.headers.get("content-type"), "text/event-stream");
      assert.match(response.headers.get("x-request-id") ?? "", /^\w+$/);
      const data: unknown = JSON.parse((await response.text()).split("data: ")[1] ?? "");
      assert.deepEqual(data, { stream, query: { flowId: ["a", "b"], replay: "5" } });
      const full = await send("GET", `${path}?flowId=full`);
      assert.equal(full.headers.get("retry-after"), "5");
      await assertError(full, 429, "too_many_subscribers");
    }
  });

  it("a valid X-Request-Id is returned", async (t) => {
    const { send } = await openApi(t);
    const mine = await send("GET", "/_api/limits", { headers: { "X-Request-Id": "abc-1" } });
    assert.equal(mine.headers.get("x-request-id"), "abc-1");
    const odd = await send("GET", "/_api/limits", { headers: { "X-Request-Id": "a b<c>" } });
    assert.match(odd.headers.get("x-request-id") ?? "", /^[0-9a-f]{16}$/);
  });
});
