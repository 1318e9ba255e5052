/** `/_api/connections`: documents, revisions, users, refusals, trials; and flows whose connection is missing. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startAskServer } from "../../support/ask-server.ts";
import { eventually } from "../../support/clock.ts";
import { asks, document, putConnection, startAskingApp } from "../../support/connections.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp, writeSecret } from "../../support/start-app.ts";

async function json<T = Record<string, unknown>>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

async function refused(response: Response, status: number, message: RegExp): Promise<void> {
  const { error } = await json<{ error: string }>(response);
  assert.equal(response.status, status, error);
  assert.match(error, message);
}

test("documents are refused with what to write", async (t) => {
  const app = await startAskingApp(t);
  const cases: readonly (readonly [more: Readonly<Record<string, unknown>>, message: RegExp])[] = [
    [{ kind: "oracle" }, /\/kind: postgres, mysql, embedded[a-z, ]* is expected/],
    [
      { password: "geheim" },
      /\/password: unknown field: passwords are not kept in documents: put it into SECRETS_DIR\/_connections\/NAME/,
    ],
    [{ url: "postgres://u:p@h/d" }, /\/url: unknown field: write "servers"/],
    [
      { servers: ["postgres://u:p@h:1/d"] },
      /\/servers\/0: write the server alone, as host:port: users and passwords are fields/,
    ],
    [{ servers: ["u:p@h:1"] }, /\/servers\/0: write the server alone/],
    [{ servers: ["*.example.org:1"] }, /\/servers\/0: a server is expected as host:port/],
    [{ passwordRef: "../token" }, /\/passwordRef: the name of a file in SECRETS_DIR\/_connections is expected/],
    [{ tls: { verify: false } }, /\/tls\/verify: unknown field: the server's certificate is always checked/],
    [{ tls: { key: "-----BEGIN" } }, /\/tls\/key: unknown field: certificates and keys of clients are secrets/],
    [{ tls: { certRef: "C" } }, /\/tls: a client's certificate and its key belong together/],
    [{ tls: false }, /\/tls: an object is expected: \{\} encrypts/],
    [{ options: { sslmode: "require" } }, /\/options\/sslmode: write "tls": \{\}/],
    [
      { options: { statement: 1 } },
      /\/options\/statement: unknown option: the kind has applicationName, clearPassword, searchPath, timeZone/,
    ],
    [{ kind: "mysql", options: { allowMultiQueries: true } }, /\/options\/allowMultiQueries: a query is one statement/],
    [{ kind: "mysql", options: { allowLoadLocalInfile: true } }, /the server cannot read files of this machine/],
    [{ kind: "embedded" }, /\/servers: connections of the kind embedded have no servers/],
    [
      { kind: "embedded", options: { path: "/tmp/x" } },
      /\/options\/path: its file is the runtime's, DATA_DIR\/databases/,
    ],
    [{ alsoServers: ["*.example.org"] }, /\/alsoServers\/0: a pattern with a port is expected/],
    [{ maxConnections: 0 }, /\/maxConnections: a whole number from 1 to 10000 is expected/],
    [{ flows: [] }, /\/flows: at least one of flows is expected/],
    [{ databse: "x" }, /\/databse: unknown field \(did you mean 'database'\?\)/],
    [{ host: "h" }, /\/host: write either servers, or host and port/],
  ];
  for (const [more, message] of cases)
    await refused(await putConnection(app, "shop", document(5432, more)), 422, message);
  await refused(
    await putConnection(app, "shop", { kind: "postgres" }),
    422,
    /it names no server.*\/database: it is missing|\/database: it is missing.*it names no server/,
  );
  assert.equal((await app.api("/connections/shop")).status, 404);
  const hostAndPort = { kind: "mysql", host: "db.example.org", database: "d", username: "u" };
  assert.equal((await putConnection(app, "shop", hostAndPort)).status, 201);
  const [listed] = await json<{ servers: unknown; kind: string }[]>(await app.api("/connections"));
  assert.deepEqual([listed?.kind, listed?.servers], ["mysql", [{ host: "db.example.org", port: 3306 }]]);
});

test("changes have revisions and preconditions, are durable, and are in the audit log", async (t) => {
  const app = await startAskingApp(t, { audit: {} });
  const first = await putConnection(app, "shop", document(5432));
  const { hash, revision } = await json(first);
  assert.equal(first.headers.get("etag"), `"${hash}.${revision}"`);
  assert.equal((await json(await putConnection(app, "shop", document(5432))))["revision"], 1);
  await refused(
    await putConnection(app, "shop", document(5433), { "If-None-Match": "*" }),
    412,
    /the connection exists/,
  );
  const second = await putConnection(app, "shop", document(5433), { "If-Match": String(first.headers.get("etag")) });
  assert.equal((await json(second))["revision"], 2);
  // A document as a GET answers it may be sent again.
  const got = await json(await app.api("/connections/shop"));
  assert.equal((await json(await putConnection(app, "shop", got)))["revision"], 2);
  await app.close();
  const again = await startAskingApp(t, { directory: app.directory });
  const { state, usedBy, ...sent } = await json(await again.api("/connections/shop"));
  assert.deepEqual([sent, usedBy, (state as { status: string }).status], [document(5433), [], "unknown"]);
  assert.equal((await again.api("/connections/shop", { method: "DELETE" })).status, 200);
  assert.equal((await again.api("/connections/shop")).status, 404);
  assert.equal((await json(await putConnection(again, "shop", document(5433))))["revision"], 3);
  await rm(join(app.directory, "data"), { recursive: true });
});

test("a default is one of a kind and group, and serves the flows of its own", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(server.port, { default: true, database: "common" }));
  await refused(
    await putConnection(app, "other", document(1, { default: true })),
    422,
    /'shop' is the default of the kind postgres for connections without a group already/,
  );
  await putConnection(app, "team-a.main", document(server.port, { default: true }));
  await putConnection(app, "team-a.shared", document(server.port, { flows: ["team-b.*"] }));
  assert.equal((await app.put("team-a.in", asks("ain", "asking:default"))).status, 201);
  const { usedBy } = await json(await app.api("/connections/team-a.main"));
  assert.deepEqual(usedBy, [{ flowId: "team-a.in", routeId: "ain", stepId: "ask" }]);
  await refused(
    await app.put("team-b.in", asks("bin", "asking:default")),
    409,
    /no connection of the kinds postgres, mysql is the default for flows of group 'team-b'/,
  );
  await refused(
    await app.put("team-b.in", asks("bin", "asking:#shop")),
    409,
    /the connection 'shop' is not for the flow 'team-b\.in': add it to "flows"/,
  );
  assert.equal((await app.put("team-b.in", asks("bin", "asking:#team-a.shared"))).status, 201);
  await putConnection(app, "cache", { kind: "embedded", default: true });
  await refused(
    await app.put("x", asks("x", "asking:#cache")),
    409,
    /'cache' is of the kind embedded, and postgres, mysql is expected/,
  );
});

test("a missing connection is a warning at the check, refused at a deployment, and named at boot", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  const yaml = asks("in", "asking:#shop");
  const checked = await app.api("/flows/in/validate", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ yaml }),
  });
  const { valid, diagnostics } = await json<{
    valid: boolean;
    diagnostics: { code: string; message: string; stepId: string }[];
  }>(checked);
  assert.equal(valid, true);
  const [found] = diagnostics.filter(({ code }) => code === "missing_connection");
  assert.equal(found?.stepId, "ask");
  assert.match(String(found?.message), /there is no connection 'shop': PUT \/_api\/connections\/shop installs it/);
  await refused(
    await app.put("in", yaml),
    409,
    /the step 'ask' of route 'in' needs a connection: there is no connection 'shop'/,
  );
  await putConnection(app, "shop", document(server.port));
  assert.equal((await app.put("in", yaml)).status, 201);
  await app.close();
  await rm(join(app.directory, "data", "connections"), { recursive: true });
  const again = await startAskingApp(t, { directory: app.directory });
  const { state, error } = await json(await again.api("/flows/in"));
  assert.equal(state, "Failed");
  assert.match(String(error), /there is no connection 'shop'/);
  await putConnection(again, "shop", document(server.port));
  // The flow is started without another request.
  await eventually(async () => (await again.post("/api/in", "x")).ok || undefined, "the flow serves");
  assert.equal(await (await again.post("/api/in", "x")).text(), "answer to x");
  await rm(app.directory, { recursive: true });
});

test("a server with the name of a connection is warned of", async (t) => {
  const app = await startTestApp(t);
  const sent = { kind: "smtp", servers: ["127.0.0.1:25"], flows: ["*"] };
  const body = JSON.stringify(sent);
  const put = await app.api("/connections/sf", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body,
  });
  assert.ok(put.ok, await put.text());
  const yaml = `- route: { id: r, from: { uri: webhook, steps: [{ to: "smtp:sf?from=a@example.org&to=b@example.org" }] } }\n`;
  const answer = await app.put("f", yaml);
  const { warnings } = (await answer.json()) as { warnings: { code: string; message: string }[] };
  const [found] = warnings.filter(({ code }) => code === "connection_as_host");
  assert.match(found?.message ?? "", /'sf' counts as the name of a server here, .*: connection: "#sf"/);
});

test("a connection in use is not removed; with force its routes are stopped", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(server.port));
  await app.put("in", `${asks("in", "asking:#shop")}\n${webhook("other", "log: x")}`);
  await refused(
    await app.api("/connections/shop", { method: "DELETE" }),
    409,
    /'shop' is used by flow 'in' \(route in, step ask\)/,
  );
  const removed = await app.api("/connections/shop?force=true", { method: "DELETE" });
  assert.deepEqual((await json(removed))["stopped"], [{ flowId: "in", routeId: "in", stepId: "ask" }]);
  assert.equal((await app.post("/api/in", "x")).status, 503);
  assert.equal((await app.post("/api/other", "x")).status, 200);
  await eventually(() => server.open === 0, "its connections are closed");
});

test("changed servers and secrets are taken by the next connection, without a deployment", async (t) => {
  const [first, second] = [await startAskServer(t), await startAskServer(t)];
  const app = await startAskingApp(t, {
    secrets: { "_connections/SHOP": "one-password" },
    limits: { connectionIdleMs: 50 },
  });
  await putConnection(app, "shop", document(first.port, { passwordRef: "SHOP" }));
  await app.put("in", asks("in", "asking:#shop"));
  await app.post("/api/in", "x");
  await writeSecret(app.secretsDirectory, "_connections/SHOP", "two-password");
  await eventually(() => first.open === 0, "the idle connection is closed");
  await app.post("/api/in", "x");
  assert.deepEqual(first.logins, ["one-password", "two-password"]);
  await putConnection(app, "shop", document(second.port, { passwordRef: "SHOP" }));
  await app.post("/api/in", "x");
  assert.deepEqual(second.logins, ["two-password"]);
  await eventually(() => first.open === 0, "the connection with the old settings is closed");
});

test("a secret of a connection is out of reach for flows, and its value leaves the thread nowhere", async (t) => {
  const server = await startAskServer(t);
  server.password = "right-password";
  const app = await startAskingApp(t, { secrets: { "_connections/SHOP": "wrong-password" } });
  const put = await putConnection(app, "shop", document(server.port, { passwordRef: "NONE" }));
  const { warnings } = await json<{ warnings: { code: string; message: string }[] }>(put);
  assert.equal(warnings[0]?.code, "missing_secret");
  assert.match(String(warnings[0]?.message), /SECRETS_DIR\/_connections\/NONE/);
  await putConnection(app, "shop", document(server.port, { passwordRef: "SHOP" }));
  const stolen = await app.put("thief", asks("thief", "asking:#shop?password={{secret:SHOP}}"));
  await refused(stolen, 422, /secret 'SHOP' is not there/);
  for (const name of ["_connections/SHOP", "../_connections/SHOP"])
    await refused(
      await app.put("thief", asks("thief", `asking:#shop?password={{secret:${name}}}`)),
      422,
      /a secret's name/,
    );
  const log = '- route: { id: in, from: { uri: webhook, steps: [{ log: "wrong-password" }, { to: "asking:#shop" }] } }';
  await app.put("in", log);
  assert.equal((await app.post("/api/in", "x")).status, 500);
  await app.post("/api/in", "x");
  const said = app.logs
    .filter(({ flowId, logger }) => flowId === "in" && logger === "in")
    .map(({ message }) => message);
  // The first line comes before the connection is opened.
  assert.deepEqual(said, ["wrong-password", "***"]);
});

test("a document opens exactly its servers, and not for calls over HTTP", async (t) => {
  const [named, other] = [await startAskServer(t), await startAskServer(t)];
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(named.port));
  const yaml = `- route:
    id: in
    from:
      uri: webhook
      steps:
        - to: "asking:#shop"
        - to: "http://127.0.0.1:${named.port}"
${asks("strange", `asking:default?server=127.0.0.1:${other.port}`)}`;
  assert.equal((await app.put("in", yaml)).status, 201);
  for (const [route, message] of [
    ["in", /is a loopback address, which flows may not call/],
    ["strange", new RegExp(`127\\.0\\.0\\.1:${other.port} is not named`)],
  ] as const) {
    assert.equal((await app.post(`/api/${route}`, "x")).status, 500);
    const [run] = await json<{ error: { type: string; message: string } }[]>(await app.api(`/runs?routeId=${route}`));
    assert.equal(run?.error.type, "EgressDeniedException");
    assert.match(String(run?.error.message), message);
  }
  assert.equal(named.logins.length, 1);
  assert.equal(other.open, 0);
});

test("a trial connects from a thread, and says what it found or the exact cause", async (t) => {
  const server = await startAskServer(t);
  server.password = "right-password";
  const app = await startAskingApp(t, {
    secrets: { "_connections/SHOP": "right-password", "_connections/BAD": "wrong-one" },
  });
  const tried = async (name: string): Promise<Record<string, unknown>> =>
    json(await app.api(`/connections/${name}/test`, { method: "POST" }));
  await putConnection(app, "shop", document(server.port, { passwordRef: "SHOP" }));
  const { connectMs, latencyMs, ...found } = await tried("shop");
  assert.deepEqual(found, { ok: true, serverVersion: "Ask 1.0", tls: null });
  assert.ok(Number(connectMs) > 0 && Number(latencyMs) > 0);
  await eventually(() => server.open === 0, "the trial's connection is closed");
  const cases: readonly (readonly [more: Readonly<Record<string, unknown>>, cause: RegExp])[] = [
    [{ passwordRef: "BAD" }, /^the password is wrong$/],
    [{ passwordRef: "NONE" }, /the secret 'NONE' of the connection 'shop' is not there/],
    [{ servers: ["127.0.0.1:1"] }, /ECONNREFUSED/],
    [{ servers: ["no.such.invalid:5432"] }, /ENOTFOUND|EAI_AGAIN/],
  ];
  for (const [more, cause] of cases) {
    await putConnection(app, "shop", document(server.port, { passwordRef: "SHOP", ...more }));
    const { ok, error } = await tried("shop");
    assert.equal(ok, false);
    assert.match(String(error), cause);
  }
  assert.equal((await app.api("/connections/none/test", { method: "POST" })).status, 404);
});

test("a document is tried before it is kept, also under a new name, and nothing of it is kept; the list has who may use a connection and who does", async (t) => {
  const server = await startAskServer(t);
  server.password = "right-password";
  const app = await startAskingApp(t, { secrets: { "_connections/SHOP": "right-password" } });
  const tried = (name: string, sent: Readonly<Record<string, unknown>>): Promise<Response> =>
    app.api(`/connections/${name}/test`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ document: sent }),
    });
  const fresh = await json(await tried("fresh", document(server.port, { passwordRef: "SHOP" })));
  assert.deepEqual([fresh["ok"], fresh["serverVersion"]], [true, "Ask 1.0"]);
  assert.equal((await app.api("/connections/fresh")).status, 404);
  await refused(await tried("fresh", document(server.port, { password: "clear" })), 422, /\/password: unknown field/);
  await putConnection(app, "shop", document(1, { flows: ["in"], maxConnections: 3 }));
  const kept = await json(await tried("shop", document(server.port, { passwordRef: "SHOP" })));
  assert.equal(kept["ok"], true);
  const { servers } = await json<{ servers: string[] }>(await app.api("/connections/shop"));
  assert.deepEqual(servers, ["127.0.0.1:1"]);
  assert.equal((await app.put("in", asks("in", "asking:#shop"))).status, 201);
  const [listed] = await json<Record<string, unknown>[]>(await app.api("/connections"));
  assert.deepEqual([listed?.["flows"], listed?.["maxConnections"]], [["in"], 3]);
  assert.deepEqual(listed?.["usedBy"], [{ flowId: "in", routeId: "in", stepId: "ask" }]);
});

test("endpoints that messages name use only connections of the flow's text", async (t) => {
  const server = await startAskServer(t);
  const app: TestApp = await startAskingApp(t);
  for (const name of ["shop", "other"]) await putConnection(app, name, document(server.port));
  const yaml = `- route:
    id: in
    from:
      uri: webhook
      steps:
        - toD: "asking:#\${body}"
${asks("named", "asking:#shop")}`;
  assert.equal((await app.put("in", yaml)).status, 201);
  assert.equal(await (await app.post("/api/in", "shop")).text(), "answer to shop");
  assert.equal((await app.post("/api/in", "other")).status, 500);
  const [run] = await json<{ error: { message: string } }[]>(await app.api("/runs?routeId=in"));
  assert.match(String(run?.error.message), /no endpoint that is written in the flow uses the connection 'other'/);
});
