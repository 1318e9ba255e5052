/** Who may do what: other sites, other names of the server, passwords, sessions and roles. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../../designer/server/config.ts";
import type { People, Session } from "../../../designer/shared/wire.ts";
import { epochMs, eventually } from "../../support/clock.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { pageHeaders, startTestDesigner } from "./support/start-designer.ts";
import { usersFile } from "./support/users-file.ts";

test("a change needs the page's header and its own site; a page of another site reads nothing", async (t) => {
  const { url } = await startTestDesigner(t, { files: { "a.yaml": "- x: 1\n" } });
  const status = async (method: string, headers: Readonly<Record<string, string>>): Promise<number> => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, method, path: "/designer/flows/a", headers }).end();
    const [response] = await once(request, "response");
    response.resume();
    return response.statusCode;
  };
  assert.equal(await status("DELETE", {}), 403);
  assert.equal(await status("DELETE", { "X-Designer": "1" }), 403);
  assert.equal(await status("DELETE", { "Sec-Fetch-Site": "same-origin" }), 403);
  assert.equal(await status("DELETE", { ...pageHeaders, "Sec-Fetch-Site": "same-site" }), 403);
  assert.equal(await status("DELETE", { ...pageHeaders, Origin: "https://evil.example" }), 403);
  assert.equal(await status("DELETE", { ...pageHeaders, Origin: url }), 428);
  assert.equal(await status("GET", {}), 200);
  assert.equal(await status("GET", { "Sec-Fetch-Site": "cross-site" }), 403);
  assert.equal(await status("GET", { Host: "evil.example" }), 421);
  assert.equal(await status("GET", { Host: "127.0.0.1.evil.example" }), 421);
  assert.equal(await status("GET", { Host: "localhost:1234" }), 200);
});

test("every answer forbids scripts from elsewhere, frames and sniffing", async (t) => {
  const { call } = await startTestDesigner(t);
  for (const path of ["/", "/designer/session", "/targets/default/_api/flows", "/nothing"]) {
    const { headers } = await call("GET", path);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'self'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe-eval/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
  }
});

test("beyond this machine a login, an address and https are needed", () => {
  const problemsOf = (env: Readonly<Record<string, string>>): string => {
    try {
      readConfig({ ...env });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(problemsOf({ DESIGNER_HOST: "0.0.0.0" }), /DESIGNER_HOST: beyond this machine people have to log in/);
  assert.match(problemsOf({ DESIGNER_HOST: "0.0.0.0" }), /DESIGNER_URL: beyond this machine give the address/);
  assert.match(problemsOf({ DESIGNER_URL: "https://d.example" }), /people have to log in/);
  assert.match(problemsOf({ DESIGNER_URL: "http://d.example" }), /begins with https/);
  assert.match(
    problemsOf({ DESIGNER_PROT: "1" }),
    /DESIGNER_PROT: there is no such setting \(did you mean DESIGNER_PORT\?\)/,
  );
  assert.match(problemsOf({ DESIGNER_PORT: "x" }), /DESIGNER_PORT: 'x' is not a port/);
  assert.match(problemsOf({ DESIGNER_USERS: "/none.yaml" }), /DESIGNER_USERS: \/none\.yaml cannot be read/);
  assert.match(problemsOf({ OIDC_ISSUER: "http://idp.example" }), /OIDC_ISSUER: .*https/);
  assert.equal(problemsOf({}), "");
});

test("a token only goes to the address that it belongs to, and leaves the environment", () => {
  const [own, shared] = ["http://own.example", "http://shared.example"];
  const both = { SERVICE_DEPLOY_TOKEN: "own", BULKHEAD_TOKEN: "shared" };
  const cases: readonly (readonly [env: Readonly<Record<string, string>>, url: string, token: string | undefined])[] = [
    [both, "http://127.0.0.1:8080", "own"],
    [{ BULKHEAD_TOKEN: "shared" }, "http://127.0.0.1:8080", "shared"],
    [{ ...both, BULKHEAD_URL: shared }, shared, "shared"],
    [{ SERVICE_DEPLOY_TOKEN: "own", BULKHEAD_URL: shared }, shared, undefined],
    [{ ...both, RUNTIME_URL: own, BULKHEAD_URL: shared }, own, "own"],
    [{ BULKHEAD_TOKEN: "shared", RUNTIME_URL: own, BULKHEAD_URL: shared }, own, undefined],
    [{ BULKHEAD_TOKEN: "shared", RUNTIME_URL: own }, own, "shared"],
  ];
  for (const [given, url, token] of cases) {
    const env = { ...given };
    const { targets, warnings } = readConfig(env);
    assert.deepEqual(
      targets.map((target) => [target.url, target.token()]),
      [[url, token]],
      JSON.stringify(given),
    );
    assert.equal(warnings.length, token === undefined ? 1 : 0);
    assert.ok(!Object.keys(env).some((name) => name.endsWith("TOKEN")));
  }
  assert.throws(() => readConfig({ BULKHEAD_URL: "nowhere" }), /BULKHEAD_URL: 'nowhere' is not the address/);
});

test("a login sets a cookie that scripts and other sites do not get, and a logout ends it", async (t) => {
  const { call, json, url, lines } = await startTestDesigner(t, { env: { DESIGNER_USERS: await usersFile(t) } });
  const before = await json<Session>("GET", "/designer/session");
  assert.deepEqual([before.user, before.login, before.targets], [null, "password", []]);
  assert.equal((await call("GET", "/designer/flows")).status, 401);
  assert.equal((await call("GET", "/targets/default/_api/flows")).status, 401);
  const wrong = await call("POST", "/designer/login", { user: "editor", password: "no" });
  const nobody = await call("POST", "/designer/login", { user: "nobody", password: "no" });
  assert.deepEqual([wrong.status, await wrong.text()], [nobody.status, await nobody.text()]);
  const login = await call("POST", "/designer/login", { user: "editor", password: "password of editor" });
  assert.equal(login.status, 200);
  assert.deepEqual(((await login.json()) as Session).user, { name: "editor", role: "editor" });
  const set = login.headers.getSetCookie().at(-1) ?? "";
  assert.match(set, /^bulkhead-designer-\d+=[\w-]{43};/);
  for (const part of ["HttpOnly", "SameSite=Strict", "Path=/"]) assert.ok(set.includes(part), set);
  const cookie = set.split(";")[0] ?? "";
  assert.equal((await call("GET", "/designer/flows", undefined, { Cookie: cookie })).status, 200);
  const stream = await fetch(`${url}/designer/events`, { headers: { ...pageHeaders, Cookie: cookie } });
  assert.equal((await call("POST", "/designer/logout", {}, { Cookie: cookie })).status, 200);
  await stream.text();
  assert.equal((await call("GET", "/designer/flows", undefined, { Cookie: cookie })).status, 401);
  assert.ok(!lines.join().includes("password of"));
});

test("operators see who may use the designer and who does, and nobody sees a hash", async (t) => {
  const { call } = await startTestDesigner(t, { env: { DESIGNER_USERS: await usersFile(t) } });
  const login = async (user: string): Promise<string> => {
    const answer = await call("POST", "/designer/login", { user, password: `password of ${user}` });
    return answer.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
  };
  const editor = await login("editor");
  assert.equal((await call("GET", "/designer/people")).status, 401);
  assert.equal((await call("GET", "/designer/people", undefined, { Cookie: editor })).status, 403);
  const operator = await login("operator");
  const answer = await call("GET", "/designer/people", undefined, { Cookie: operator });
  const text = await answer.text();
  assert.doesNotMatch(text, /scrypt|hash/);
  const { users, provider, sessions } = JSON.parse(text) as People;
  assert.deepEqual(
    users.map(({ name, role }) => `${name} ${role}`),
    ["viewer viewer", "editor editor", "operator operator"],
  );
  assert.equal(provider, null);
  assert.deepEqual(
    sessions.map(({ name, role }) => `${name} ${role}`),
    ["editor editor", "operator operator"],
  );
  for (const { since, used } of sessions) assert.ok(since <= used && Math.abs(Date.parse(used) - epochMs()) < 600_000);
  await call("POST", "/designer/logout", {}, { Cookie: editor });
  const after = await call("GET", "/designer/people", undefined, { Cookie: operator });
  assert.deepEqual(
    ((await after.json()) as People).sessions.map(({ name }) => name),
    ["operator"],
  );
});

test("guesses are bounded, also for the right password", async (t) => {
  const { call } = await startTestDesigner(t, { env: { DESIGNER_USERS: await usersFile(t) } });
  for (let i = 0; i < 5; i++)
    assert.equal((await call("POST", "/designer/login", { user: "viewer", password: `${i}` })).status, 401);
  const refused = await call("POST", "/designer/login", { user: "viewer", password: "password of viewer" });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await call("POST", "/designer/login", { user: "editor", password: "password of editor" })).status, 200);
});

test("roles: viewers read, editors write and deploy, operators do what cannot be undone", async (t) => {
  const runtime = await startTestApp(t);
  const env = { DESIGNER_USERS: await usersFile(t), RUNTIME_URL: runtime.url, SERVICE_DEPLOY_TOKEN: token };
  const { call } = await startTestDesigner(t, { env });
  const yaml = "- route: { id: a, from: { uri: webhook, steps: [ { setBody: { constant: hi } } ] } }\n";
  const cookies: Record<string, string> = {};
  for (const user of ["viewer", "editor", "operator"]) {
    const login = await call("POST", "/designer/login", { user, password: `password of ${user}` });
    cookies[user] = login.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
  }
  const statuses = async (method: string, path: string, body?: unknown, headers = {}): Promise<number[]> => {
    const found: number[] = [];
    for (const user of ["viewer", "editor", "operator"])
      found.push((await call(method, path, body, { Cookie: cookies[user] ?? "", ...headers })).status);
    return found;
  };
  const api = "/targets/default/_api";
  assert.deepEqual(await statuses("GET", "/designer/flows"), [200, 200, 200]);
  assert.deepEqual(await statuses("PUT", "/designer/flows/a", { yaml }, { "If-None-Match": "*" }), [403, 201, 412]);
  assert.deepEqual(await statuses("PUT", `${api}/flows/a`, { yaml }), [403, 201, 200]);
  assert.deepEqual(await statuses("PUT", `${api}/flows/a`, { yaml, policy: { public: true } }), [403, 403, 200]);
  assert.deepEqual(await statuses("PUT", `${api}/flows/a`, `{"yaml":"","\\u0070olicy":null}`), [403, 403, 422]);
  assert.deepEqual(await statuses("PUT", `${api}/flows/a`, "{}", { "Content-Type": "text/json" }), [403, 415, 415]);
  assert.deepEqual(await statuses("POST", `${api}/flows/a/validate`, { yaml }), [403, 200, 200]);
  assert.deepEqual(
    await statuses("POST", "/targets/default/call", { method: "POST", path: "/api/a" }),
    [403, 200, 200],
  );
  assert.deepEqual(await statuses("POST", `${api}/flows/a/stop`), [403, 403, 200]);
  assert.deepEqual(await statuses("DELETE", `${api}/auth/a`), [403, 403, 200]);
  const flows = [{ id: "a", yaml }];
  for (const held of [
    { flows, set: "s" },
    { flows: [{ id: "a", yaml, policy: null }] },
    { flows, policies: [] },
    { flows, connections: [] },
  ])
    assert.deepEqual(await statuses("POST", `${api}/deployments`, held), [403, 403, 200], JSON.stringify(held));
  const mapping = { kind: "value", id: "codes", text: '{"entries": {"a": "b"}}' };
  assert.deepEqual(await statuses("POST", `${api}/deployments`, { flows, mappings: [mapping] }), [403, 200, 200]);
  const { text } = mapping;
  const fresh = { "If-None-Match": "*" };
  assert.deepEqual(await statuses("PUT", "/designer/mappings/value/codes", { text }, fresh), [403, 201, 412]);
  assert.deepEqual(await statuses("GET", "/designer/mappings"), [200, 200, 200]);
  assert.deepEqual(await statuses("GET", `${api}/backup`), [403, 403, 403]);
});

test("a call of a flow answers as data, whatever the flow sends", async (t) => {
  const runtime = await startTestApp(t);
  const { json, call } = await startTestDesigner(t, { env: { RUNTIME_URL: runtime.url, SERVICE_DEPLOY_TOKEN: token } });
  const html = "<script>alert(1)</script>";
  await runtime.put(
    "page",
    `- route:\n    id: page\n    from:\n      uri: webhook\n      steps:\n        - setHeader: { name: Content-Type, constant: text/html }\n        - setBody: { constant: "${html}" }\n`,
  );
  const answer = await call("POST", "/targets/default/call", { method: "POST", path: "/api/page", body: "x" });
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
  const { status, body, headers } = (await answer.json()) as {
    status: number;
    body: string;
    headers: [string, string][];
  };
  assert.deepEqual([status, body], [200, html]);
  assert.equal(headers.find(([name]) => name === "content-type")?.[1], "text/html");
  for (const path of ["/_api/flows", "/%5Fapi/flows", "/_API/flows", "/x/../_api/flows", "//_api"])
    assert.equal((await call("POST", "/targets/default/call", { method: "GET", path })).status, 400, path);
  const bad = { method: "POST", path: "/api/page", headers: { "Transfer-Encoding": "chunked" } };
  assert.equal((await call("POST", "/targets/default/call", bad)).status, 400);
  assert.equal(
    (await json<{ status: number }>("POST", "/targets/default/call", { method: "GET", path: "/none" })).status,
    404,
  );
});

test("an open page learns that a file changed on the disk", async (t) => {
  const { url, workspace } = await startTestDesigner(t, { files: { "a.yaml": "- x: 1\n" } });
  const leave = new AbortController();
  const { body } = await fetch(`${url}/designer/events`, { headers: pageHeaders, signal: leave.signal });
  let text = "";
  const ended = (async () => {
    for await (const part of body ?? []) text += Buffer.from(part as Uint8Array).toString();
  })().catch(() => undefined);
  await eventually(() => text.includes('event: ready\ndata: {"flows":1}'), "the stream is open");
  await writeFile(join(workspace, "a.yaml"), "- x: 2\n");
  await eventually(
    () => /event: flows\ndata: \[\{"id":"a","etag":"\\"[0-9a-f]{40}\\""\}\]/.test(text),
    "the change is reported",
  );
  await rm(join(workspace, "a.yaml"));
  await eventually(() => text.includes('data: [{"id":"a","etag":null}]'), "the removal is reported");
  leave.abort();
  await ended;
});
