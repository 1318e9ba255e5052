/** `/_api/auth` over HTTP: preconditions, refusals, and the explanation of a decision. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { webhook } from "../../support/flows.ts";
import { install, outcome, putPolicy, shopKey, shopOnly } from "../../support/policies.ts";
import { startTestApp } from "../../support/start-app.ts";

test("the policy endpoints", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-test-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, "data", "policies"), { recursive: true });
  for (const id of ["broken", "torn"]) await writeFile(join(directory, "data", "policies", `${id}.document`), "half a");
  const app = await startTestApp(t, { directory });
  const json = { "Content-Type": "application/json" };
  const send = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    app.api(path, {
      method,
      headers: { ...(body !== undefined && json), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  await t.test("change a policy only if If-Match and If-None-Match hold", async () => {
    const first = await send("PUT", "/auth/f", shopOnly, { "If-None-Match": "*" });
    assert.equal(first.status, 201);
    const tag = first.headers.get("etag") ?? "";
    const stale = `"${"0".repeat(64)}.1"`;
    assert.equal(outcome(await send("PUT", "/auth/f", shopOnly, { "If-None-Match": "*" })), "412 precondition_failed");
    assert.equal(
      outcome(await send("PUT", "/auth/f", { public: true }, { "If-Match": stale })),
      "412 precondition_failed",
    );
    assert.equal(outcome(await send("DELETE", "/auth/f", undefined, { "If-Match": stale })), "412 precondition_failed");
    assert.equal((await send("PUT", "/auth/f", { public: true }, { "If-Match": tag })).status, 200);
    assert.equal(outcome(await send("DELETE", "/auth/f", undefined, { "If-Match": tag })), "412 precondition_failed");
    assert.equal((await send("DELETE", "/auth/f", undefined, { "If-Match": "*" })).status, 200);
    assert.equal(outcome(await send("PUT", "/auth/f", shopOnly, { "If-Match": "*" })), "412 precondition_failed");
    // Revision numbers continue.
    const back = await send("PUT", "/auth/f", shopOnly);
    assert.deepEqual([back.status, ((await back.json()) as { revision: number }).revision], [201, 3]);
  });

  await t.test("list the policies of all flows, those that cannot be read, too", async () => {
    const answer = await send("GET", "/auth");
    const list = (await answer.json()) as { flowId: string; understood: boolean; principals: string[] }[];
    assert.deepEqual(
      list.map(({ flowId, understood, principals }) => [flowId, understood, principals]),
      [
        ["broken", false, []],
        ["f", true, ["shop"]],
        ["torn", false, []],
      ],
    );
    assert.doesNotMatch(JSON.stringify(list), new RegExp(shopKey));
  });

  await t.test("refuse invalid policies and unknown fields", async () => {
    for (const body of [[], "text", 17, null])
      assert.equal(outcome(await send("PUT", "/auth/g", body)), "400 bad_request");
    assert.equal(outcome(await send("PUT", "/auth/.hidden", shopOnly)), "400 bad_id");
    assert.equal(outcome(await send("PUT", "/auth/g?dryRun=true", shopOnly)), "400 bad_query");
    assert.equal(outcome(await putPolicy(app, "F", shopOnly)), "409 id_case_clash");
    for (const [method, path] of [
      ["GET", "/auth/g"],
      ["DELETE", "/auth/g"],
    ] as const) {
      assert.equal(outcome(await send(method, path)), "404 not_found");
    }
    assert.equal(outcome(await send("POST", "/auth/g/can", { route: "r" })), "404 not_found");
  });

  await t.test(
    "refuse a policy for an id that differs from a flow only by case, since it would guard nothing",
    async () => {
      await app.put("Orders", webhook("orders-in", "log: in"));
      const answer = await putPolicy(app, "orders", shopOnly);
      assert.equal(outcome(answer), "409 id_case_clash");
      assert.match(await answer.text(), /the flow is called 'Orders'/);
      assert.equal((await putPolicy(app, "Orders", shopOnly)).status, 201);
    },
  );

  await t.test("report a file that cannot be read, and replace or remove it", async () => {
    assert.ok(app.logs.some(({ flowId, level }) => flowId === "broken" && level === "ERROR"));
    assert.equal(outcome(await send("GET", "/auth/broken")), "500 store_failed");
    assert.equal((await putPolicy(app, "broken", shopOnly)).ok, true);
    assert.equal((await send("GET", "/auth/broken")).status, 200);
    assert.equal((await send("DELETE", "/auth/torn")).status, 200);
    assert.equal(outcome(await send("GET", "/auth/torn")), "404 not_found");
  });

  await t.test("explain a decision", async () => {
    await install(app, "f", {
      ...shopOnly,
      rules: [{ allow: ["invoke"], roles: ["sender"], routes: ["order-*"], methods: ["POST"], cidrs: ["10.0.0.0/8"] }],
    });
    const can = async (question: object): Promise<Record<string, unknown>> =>
      (await (await send("POST", "/auth/f/can", question)).json()) as Record<string, unknown>;
    const { allowed, principal, rule } = await can({ as: "shop", route: "order-in", address: "10.1.2.3" });
    assert.deepEqual([allowed, principal, rule], [true, "shop", 0]);
    for (const question of [
      { as: "shop", route: "other", address: "10.1.2.3" },
      { as: "shop", route: "order-in", address: "11.1.2.3" },
      { as: "shop", route: "order-in" },
      { as: "nobody", route: "order-in", address: "10.1.2.3" },
      { route: "order-in", address: "10.1.2.3" },
    ]) {
      const answer = await can(question);
      assert.equal(answer["allowed"], false, JSON.stringify(question));
      assert.ok(typeof answer["reason"] === "string" && !answer["reason"].includes(shopKey));
    }
    assert.equal(outcome(await send("POST", "/auth/f/can", {})), "400 bad_request");
  });
});
