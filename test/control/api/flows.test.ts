import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../src/shared/errors.ts";
import { assertError } from "./calls.ts";
import { flow, openApi, putAnswer, revision } from "./services.ts";

describe("GET /_api/flows", () => {
  it("returns an array sorted by id, with an ETag of its content and 304", async (t) => {
    const { send } = await openApi(t);
    const response = await send("GET", "/_api/flows");
    assert.equal(response.status, 200);
    const list = (await response.json()) as { id: string }[];
    assert.deepEqual(
      list.map(({ id }) => id),
      ["a", "z"],
    );
    const tag = response.headers.get("etag") ?? "";
    assert.match(tag, /^"[0-9a-f]{64}"$/);
    for (const sent of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const again = await send("GET", "/_api/flows", { headers: { "If-None-Match": sent } });
      assert.equal(again.status, 304, sent);
      assert.equal(await again.text(), "");
      assert.equal(again.headers.get("etag"), tag);
    }
    assert.equal((await send("GET", "/_api/flows", { headers: { "If-None-Match": '"x"' } })).status, 200);
  });

  it("answers HEAD without a body", async (t) => {
    const { send } = await openApi(t);
    const response = await send("HEAD", "/_api/flows");
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
  });
});

describe("GET /_api/flows/:id", () => {
  it("returns the flow with the tag of its revision", async (t) => {
    const { send } = await openApi(t);
    const response = await send("GET", "/_api/flows/orders");
    assert.deepEqual(await response.json(), flow);
    assert.equal(response.headers.get("etag"), `"${flow.hash}.7"`);
    assert.equal(response.headers.get("vary"), "Accept");
  });

  it("returns the file to a caller that accepts YAML", async (t) => {
    const { send } = await openApi(t);
    for (const accept of [
      "application/yaml",
      "application/yaml, */*;q=0.1",
      "application/json;q=0.5, application/yaml",
    ]) {
      const response = await send("GET", "/_api/flows/orders", { headers: { Accept: accept } });
      assert.equal(response.headers.get("content-type"), "application/yaml");
      assert.equal(await response.text(), flow.yaml);
    }
    for (const accept of [
      "*/*",
      "application/json",
      "application/yaml;q=0",
      "application/json, application/yaml;q=0.9",
    ]) {
      const response = await send("GET", "/_api/flows/orders", { headers: { Accept: accept } });
      assert.match(response.headers.get("content-type") ?? "", /json/, accept);
      await response.text();
    }
  });

  it("404 for an unknown flow", async (t) => {
    const { send } = await openApi(t);
    await assertError(await send("GET", "/_api/flows/other"), 404, "not_found");
  });
});

describe("PUT /_api/flows/:id", () => {
  it("passes the document and its conditions to the service, and answers 200 or 201", async (t) => {
    const { send, calls } = await openApi(t, {
      flows: { put: async (id) => ({ ...putAnswer, created: id === "new" }) },
    });
    const body = { yaml: "- from: {}", params: { a: 1, b: null }, limits: { queue: 3, record: "off" } };
    const response = await send("PUT", "/_api/flows/orders?drainMs=5&dryRun=false", {
      body,
      headers: { "If-Match": '"x"' },
    });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), putAnswer);
    assert.equal(response.headers.get("etag"), `"${flow.hash}.8"`);
    assert.deepEqual(calls, [
      ["flows.put", "orders", body, { drainMs: 5, dryRun: false, ifMatch: '"x"', ifNoneMatch: undefined }],
    ]);
    const created = await send("PUT", "/_api/flows/new", { body, headers: { "If-None-Match": "*" } });
    assert.equal(created.status, 201);
    assert.equal(created.headers.get("location"), "/_api/flows/new");
    assert.equal(((await created.json()) as typeof putAnswer).created, true);
  });

  it("answers a dry run of a new flow with 200 and creates nothing", async (t) => {
    const plan = { start: ["a"], stop: [], unchanged: [] };
    const { send } = await openApi(t, {
      flows: { put: async () => ({ ...putAnswer, created: true, dryRun: true, plan }) },
    });
    const response = await send("PUT", "/_api/flows/new?dryRun=true", { body: { yaml: "x" } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("etag"), null);
    assert.deepEqual(((await response.json()) as typeof putAnswer).plan, plan);
  });

  it("accepts YAML byte for byte", async (t) => {
    const { send, calls } = await openApi(t);
    const yaml = "\ufeff- route: ä # é\r\n";
    for (const type of ["application/yaml", "application/yaml; charset=UTF-8", "text/x-yaml"]) {
      const response = await send("PUT", "/_api/flows/orders", { body: yaml, headers: { "Content-Type": type } });
      assert.equal(response.status, 200);
    }
    assert.deepEqual(calls[0]?.[2], { yaml, params: undefined, limits: undefined });
  });

  it("treats null for params and limits as absent, and keeps names unchanged", async (t) => {
    const { send, calls } = await openApi(t);
    await send("PUT", "/_api/flows/orders", { body: { yaml: "x", params: null, limits: null } });
    await send("PUT", "/_api/flows/orders", { body: '{"yaml":"x","params":{"constructor":"c"}}' });
    assert.deepEqual(calls[0]?.[2], { yaml: "x", params: undefined, limits: undefined });
    assert.deepEqual(calls[1]?.[2], { yaml: "x", params: { constructor: "c" }, limits: undefined });
  });

  it("accepts whole numbers beyond 2^53: a param keeps every digit, a limit stays too large", async (t) => {
    const { send, calls } = await openApi(t);
    const body = '{"yaml":"x","params":{"a":9007199254740993},"limits":{"threads":9007199254740992}}';
    assert.equal((await send("PUT", "/_api/flows/orders", { body })).status, 200);
    assert.deepEqual(calls[0]?.[2], { yaml: "x", params: { a: "9007199254740993" }, limits: { threads: 2 ** 53 } });
  });

  it("warns of unknown fields", async (t) => {
    const { send } = await openApi(t);
    const put = await send("PUT", "/_api/flows/orders", { body: { yaml: "x", parms: {} } });
    const { warnings } = (await put.json()) as typeof putAnswer;
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ["unknown_field"],
    );
    assert.match(warnings[0]?.message ?? "", /'parms'.*yaml, params, limits/);
    const validated = await send("POST", "/_api/flows/orders/validate", { body: { yaml: "x", parms: {} } });
    const { diagnostics } = (await validated.json()) as { diagnostics: { code: string; severity: string }[] };
    assert.deepEqual(
      diagnostics.map(({ code, severity }) => [code, severity]),
      [["unknown_field", "warning"]],
    );
  });

  it("returns the errors of the service unchanged", async (t) => {
    const { send } = await openApi(t, {
      flows: {
        put: async () => {
          throw new AppError("flow_invalid", "orders.yaml:7:11: unknown step 'lgo'");
        },
      },
    });
    const message = await assertError(await send("PUT", "/_api/flows/orders", { body: { yaml: "x" } }), 422);
    assert.equal(message, "orders.yaml:7:11: unknown step 'lgo'");
  });

  it("hides an unforeseen error and logs it", async (t) => {
    const failure = new Error("ENOENT /etc/secret");
    const { send, errors } = await openApi(t, { flows: { put: () => Promise.reject(failure) } });
    const message = await assertError(
      await send("PUT", "/_api/flows/orders", { body: { yaml: "x" } }),
      500,
      "internal",
    );
    assert.doesNotMatch(message, /secret|ENOENT/);
    assert.deepEqual(errors, [failure]);
  });
});

describe("the revisions of a flow", () => {
  it("are listed, with their yaml on request", async (t) => {
    const { send } = await openApi(t);
    const { yaml, ...rest } = revision;
    assert.deepEqual(await (await send("GET", "/_api/flows/orders/revisions")).json(), [rest]);
    assert.deepEqual(await (await send("GET", "/_api/flows/orders/revisions?yaml=true")).json(), [{ ...rest, yaml }]);
  });

  it("a rollback passes the request to the service and answers like a PUT", async (t) => {
    const { send, calls } = await openApi(t, {
      flows: { rollback: async (_id, number) => ({ ...putAnswer, created: number === 2 }) },
    });
    const headers = { "If-Match": "*" };
    const path = "/_api/flows/orders/rollback";
    const answer = await send("POST", `${path}?drainMs=5&dryRun=false`, { body: { revision: 7 }, headers });
    assert.deepEqual([answer.status, await answer.json()], [200, putAnswer]);
    assert.equal(answer.headers.get("etag"), `"${flow.hash}.8"`);
    const options = { drainMs: 5, dryRun: false, ifMatch: "*", ifNoneMatch: undefined };
    assert.deepEqual(calls, [["flows.rollback", "orders", 7, options]]);
    const back = await send("POST", path, { body: { revision: 2, why: "because" } });
    assert.deepEqual([back.status, back.headers.get("location")], [201, "/_api/flows/orders"]);
    const { warnings } = (await back.json()) as typeof putAnswer;
    assert.match(warnings[0]?.message ?? "", /'why'.*revision/);
  });

  for (const body of [{}, { revision: "7" }, { revision: 0 }, { revision: 1.5 }, { revision: 1e300 }, [], null]) {
    it(`400: ${JSON.stringify(body)}`, async (t) => {
      const { send, calls } = await openApi(t);
      await assertError(await send("POST", "/_api/flows/orders/rollback", { body }), 400, "bad_request");
      assert.deepEqual(calls, []);
    });
  }
});

describe("the other calls on a flow", () => {
  it("pass the request to the service", async (t) => {
    const { send, calls } = await openApi(t);
    const remove = await send("DELETE", "/_api/flows/orders?drainMs=0&purge=true", { headers: { "If-Match": "*" } });
    assert.deepEqual(await remove.json(), { id: "orders", deleted: true, draining: 0 });
    for (const word of ["start", "stop"]) {
      const response = await send("POST", `/_api/flows/orders/${word}`);
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), flow);
    }
    assert.equal((await send("POST", "/_api/flows/orders/reload", { body: {} })).status, 200);
    assert.deepEqual(calls, [
      ["flows.remove", "orders", { drainMs: 0, purge: true, ifMatch: "*" }],
      ["flows.start", "orders"],
      ["flows.stop", "orders"],
      ["flows.reload", "orders"],
    ]);
  });

  const queries = [
    "PUT ?dryRun=yes",
    "PUT ?dryRun",
    "PUT ?dryrun=true",
    "PUT ?dryRun=true&dryRun=true",
    "PUT ?drainMs=-1",
    "PUT ?drainMs=1.5",
    "PUT ?drainMs=600001",
    "PUT ?drainMs=",
    "DELETE ?purge=1",
    "DELETE ?force=true",
    "GET ?x=1",
  ];
  for (const query of queries) {
    it(`400: ${query}`, async (t) => {
      const { send, calls } = await openApi(t);
      const [method = "", search] = query.split(" ");
      const body = method === "PUT" ? { yaml: "x" } : undefined;
      const message = await assertError(
        await send(method, `/_api/flows/orders${search}`, body && { body }),
        400,
        "bad_query",
      );
      assert.match(message, /'(dryRun|dryrun|drainMs|purge|force|x)'/);
      assert.deepEqual(calls, []);
    });
  }
});

describe("ids", () => {
  const good = ["a", "a".repeat(128), "A-b_c.d", "0", "constructor", "Flow", "comx", "a.con"];
  for (const id of good) {
    it(`accepts ${id.slice(0, 20)}`, async (t) => {
      const { send, calls } = await openApi(t);
      assert.equal((await send("PUT", `/_api/flows/${id}`, { body: { yaml: "x" } })).status, 200);
      assert.equal(calls[0]?.[1], id);
    });
  }

  const bad = [
    "",
    "%20",
    "-a",
    ".hidden",
    "a.",
    "a".repeat(129),
    "a".repeat(5000),
    "CON",
    "con.x",
    "LPT1",
    "COM%C2%B9",
  ];
  const stranger = ["%F0%9F%98%80", "%C3%A9", "e%CC%81", "__proto__", "a..b", "a%25b", "a%3Ab"];
  for (const id of [...bad, ...stranger]) {
    it(`400: ${id.slice(0, 20)}`, async (t) => {
      const { send, calls } = await openApi(t);
      await assertError(await send("PUT", `/_api/flows/${id}`, { body: { yaml: "x" } }), 400, "bad_id");
      assert.deepEqual(calls, []);
    });
  }

  for (const id of ["a%2Fb", "a%00", "a%5Cb"]) {
    it(`400 already as a target: ${id}`, async (t) => {
      const { send } = await openApi(t);
      const path = `/_api/flows/${id}`;
      await assertError(await send("GET", path), 400, "bad_target");
    });
  }
});
