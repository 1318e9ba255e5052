/** Which requests a route with a path of its own answers (Camel's platform-http, reference: VertxPlatformHttpEngineTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "../support/flows.ts";
import { httpRoute, says, withFlow } from "../support/platform-http.ts";

test("a path answers every method until httpMethodRestrict names some; others get 405 with Allow", async (t) => {
  const app = await withFlow(
    t,
    [
      httpRoute("any", "/any", says("${header.CamelHttpMethod}")),
      httpRoute("some", "/some?httpMethodRestrict=get,POST", says("some")),
    ].join(""),
  );
  for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const answer = await app.send(method, "/any");
    assert.equal(`${answer.status} ${await answer.text()}`, `200 ${method}`);
  }
  const head = await app.send("HEAD", "/any");
  assert.equal(`${head.status} ${head.headers.get("content-length")} ${await head.text()}`, "200 4 ");
  assert.equal(await app.text("/some"), "200 some");
  for (const method of ["PUT", "HEAD", "OPTIONS"]) {
    const answer = await app.send(method, "/some");
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers.get("allow"), "GET, POST");
  }
  assert.match(await app.text("/none"), /^404 \{"error":/);
});

test("parameters become headers, decoded; only a whole segment fills one", async (t) => {
  const app = await withFlow(
    t,
    [
      httpRoute("one", "/orders/{id}/items/{item-no}", says("${header.id}|${header.item-no}")),
      httpRoute("two", "/files/{name}.json", says("file ${header.name}")),
      httpRoute("three", "/vertx/:id", says("vertx ${header.id}")),
      httpRoute("four", "/caf%C3%A9/b(1)", says("fixed")),
    ].join(""),
  );
  assert.equal(await app.text("/orders/a%20b/items/%C3%BC+"), "200 a b|ü+");
  assert.equal(await app.text("/orders/7/items/8/"), "200 7|8");
  assert.match(await app.text("/orders/7/items"), /^404/);
  assert.match(await app.text("/orders/7/items/8/9"), /^404/);
  assert.match(await app.text("/orders//items/8"), /^400/);
  assert.match(await app.text("/orders/a%2Fb/items/8"), /^400/);
  assert.equal(await app.text("/files/a.b.json"), "200 file a.b");
  assert.match(await app.text("/files/.json"), /^404/);
  assert.equal(await app.text("/vertx/9"), "200 vertx 9");
  for (const path of ["/caf%c3%a9/b(1)", "/caf%C3%A9/b%281%29"]) assert.equal(await app.text(path), "200 fixed", path);
});

test("matchOnUriPrefix and a star at the end match longer paths, as Vert.x Web does", async (t) => {
  const app = await withFlow(
    t,
    [
      httpRoute("greeting", "/greeting/{name}?matchOnUriPrefix=true", says("Hello ${header.name}")),
      httpRoute("text", "/files?matchOnUriPrefix=true", says("${header.CamelHttpPath}")),
      httpRoute("under", "/docs/*", says("docs")),
      httpRoute("slash", "/strict/", says("strict")),
    ].join(""),
  );
  assert.match(await app.text("/greeting"), /^404/);
  assert.equal(await app.text("/greeting/Camel"), "200 Hello Camel");
  assert.equal(await app.text("/greeting/Camel/other/path/"), "200 Hello Camel");
  for (const path of ["/files", "/files2", "/files/a/b"]) assert.equal(await app.text(path), `200 ${path}`);
  for (const path of ["/docs", "/docs/", "/docs/a/b"]) assert.equal(await app.text(path), "200 docs", path);
  assert.match(await app.text("/docs2"), /^404/);
  assert.equal(await app.text("/strict/"), "200 strict");
  assert.match(await app.text("/strict"), /^404/);
});

test("an exact path comes before a template, a template before a prefix, and a method that it lacks goes on to the next", async (t) => {
  const app = await withFlow(
    t,
    [
      httpRoute("prefix", "/b/*", says("prefix")),
      httpRoute("longer", "/b/c*", says("longer prefix")),
      httpRoute("template", "/b/{x}", says("template ${header.x}")),
      httpRoute("exact", "/b/c?httpMethodRestrict=GET", says("exact")),
      httpRoute("deep", "/b/{x}/d", says("deep")),
    ].join(""),
  );
  assert.equal(await app.text("/b/c"), "200 exact");
  assert.equal(await (await app.send("POST", "/b/c")).text(), "template c");
  assert.equal(await app.text("/b/x"), "200 template x");
  assert.equal(await app.text("/b/c/d"), "200 deep");
  assert.equal(await app.text("/b/c/e"), "200 longer prefix");
  assert.equal(await app.text("/b/x/e"), "200 prefix");
});

test("consumes refuses other types with 415 and none with 400, produces other wishes with 406", async (t) => {
  const app = await withFlow(
    t,
    [
      httpRoute("in", "/in?consumes=application/json,text/*", says("in")),
      httpRoute("out", "/out?produces=application/json", says("out")),
      httpRoute("form", "/form", says("form")),
    ].join(""),
  );
  const post = (type: string): Promise<Response> => app.send("POST", "/in", "1", { "Content-Type": type });
  assert.equal((await post("application/json; charset=utf-8")).status, 200);
  assert.equal((await post("Text/CSV")).status, 200);
  const refused = await post("application/xml");
  assert.equal(refused.status, 415);
  assert.equal(refused.headers.get("x-error-code"), "unsupported_media_type");
  assert.equal((await app.get("/in")).status, 400);
  const wishes: readonly (readonly [accept: string, status: number])[] = [
    ["application/json", 200],
    ["text/html, application/*;q=0.1", 200],
    ["*/*", 200],
    ["text/html", 406],
    ["*/*, application/json;q=0", 406],
  ];
  for (const [Accept, status] of wishes) assert.equal((await app.get("/out", { Accept })).status, status, Accept);
  assert.equal((await app.get("/out", { Accept: "*/*" })).headers.get("content-type"), null);
});

test("a stopped route answers 503 with Retry-After, and only that", async (t) => {
  const app = await withFlow(t, httpRoute("r", "/x/{id}", says("here")));
  await app.put(
    "g",
    httpRoute("asleep", "/asleep", says("never")).replace("    from:", "    autoStartup: false\n    from:"),
  );
  assert.equal((await app.get("/asleep")).status, 503);
  assert.equal((await app.api("/flows/f/stop", { method: "POST" })).status, 200);
  const stopped = await app.get("/x/1");
  assert.equal(stopped.status, 503);
  assert.equal(stopped.headers.get("x-error-code"), "route_stopped");
  assert.ok(Number(stopped.headers.get("retry-after")) > 0);
  assert.equal((await app.get("/y")).status, 404);
  await app.api("/flows/f/start", { method: "POST" });
  assert.equal(await app.text("/x/1"), "200 here");
});

test("a path belongs to one flow, method by method, until it gives it up", async (t) => {
  const app = await withFlow(t, httpRoute("a", "/p/{x}?httpMethodRestrict=GET", says("a")));
  for (const rest of ["/p/{other}", "/p/:x?httpMethodRestrict=PUT,GET", "p/{x}/"]) {
    const taken = await app.put("g", httpRoute("b", rest, says("b")));
    assert.equal(taken.status, 409, rest);
    assert.equal(taken.headers.get("x-error-code"), "path_taken");
    assert.match(await taken.text(), /belongs to flow 'f'/);
  }
  assert.equal(
    (await app.put("g", httpRoute("b", "/p/{y}?httpMethodRestrict=POST", says("b ${header.y}")))).status,
    201,
  );
  assert.equal(await app.text("/p/1"), "200 a");
  assert.equal(await (await app.send("POST", "/p/1")).text(), "b 1");
  assert.equal((await app.send("PUT", "/p/1")).headers.get("allow"), "GET, POST");
  assert.equal((await app.put("f", httpRoute("a", "/q", says("a")))).status, 200);
  assert.equal((await app.get("/p/1")).status, 405);
  assert.equal((await app.put("g", httpRoute("b", "/p/{y}", says("all")))).status, 200);
  assert.equal(await app.text("/p/1"), "200 all");
  assert.equal((await app.api("/flows/g", { method: "DELETE" })).status, 200);
  assert.equal((await app.get("/p/1")).status, 404);
  assert.equal((await app.put("h", httpRoute("c", "/p/{z}", says("c")))).status, 201);
});

test("a replacement changes all paths at once, and a refused one none", async (t) => {
  const app = await withFlow(t, httpRoute("r", "/old/{x}", says("old")) + httpRoute("s", "/kept", says("1")));
  assert.equal((await app.put("f", httpRoute("r", "/{any}", says("x")))).status, 422);
  assert.equal(await app.text("/old/1"), "200 old");
  assert.equal(
    (await app.put("f", httpRoute("r", "/new/*", says("new")) + httpRoute("s", "/kept", says("2")))).status,
    200,
  );
  assert.match(await app.text("/old/1"), /^404/);
  assert.equal(await app.text("/new/1"), "200 new");
  assert.equal(await app.text("/kept"), "200 2");
});

test("under /api a route may only claim the place of its own id", async (t) => {
  const app = await withFlow(t, httpRoute("mine", "/api/mine?httpMethodRestrict=GET", says("mine")));
  assert.equal(await app.text("/api/mine"), "200 mine");
  assert.equal((await app.post("/api/mine")).status, 405);
  await app.put("w", answering("theirs", "webhook"));
  for (const rest of [
    "/api/theirs",
    "/api",
    "/api/x/y",
    "/api/{id}",
    "/api/r*",
    "/api/r/{id}",
    "/ap*",
    "/a{x}",
    "/API/theirs",
  ]) {
    const answer = await app.put("g", httpRoute("r", rest, says("x")));
    assert.equal(answer.status, 422, rest);
    assert.match(await answer.text(), /\/api/, rest);
  }
  const prefix = await app.put("g", httpRoute("r", "/api/r?matchOnUriPrefix=true", says("x")));
  assert.equal(prefix.status, 422);
  assert.equal(await (await app.post("/api/theirs")).text(), "webhook");
});

test("placeholders fill a path before it is judged", async (t) => {
  const app = await withFlow(t, httpRoute("r", "/start", says("x")));
  const yaml = httpRoute("p", "/{{base}}/{id}", says("${header.id}"));
  assert.equal((await app.put("g", yaml, { params: { base: "shop" } })).status, 201);
  assert.equal(await app.text("/shop/3"), "200 3");
  for (const base of ["_api", "{x}", "x/../_api", "api", "*"]) {
    assert.equal((await app.put("g", yaml, { params: { base } })).status, 422, base);
  }
  assert.equal((await app.put("g", yaml, { params: { base: "start" } })).status, 200);
  assert.equal((await app.put("h", httpRoute("q", "/{{base}}", says("x")), { params: { base: "start" } })).status, 409);
});

test("runs and the list of flows tell the path", async (t) => {
  const app = await withFlow(t, httpRoute("r", "/orders/{id}", says("x")));
  const answer = await app.send("PUT", "/orders/7?x=1");
  const run = (await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).json()) as {
    trigger: unknown;
    httpStatus: number;
  };
  assert.deepEqual(run.trigger, { kind: "http", uri: "platform-http:/orders/{id}", method: "PUT", path: "/orders/7" });
  assert.equal(run.httpStatus, 200);
  const [flow] = (await (await app.api("/flows")).json()) as { routes: unknown[] }[];
  assert.deepEqual(flow?.routes, [
    { id: "r", uri: "platform-http:/orders/{id}", status: "Started", webhook: "/orders/{id}" },
  ]);
});
