/** What a flow with a policy is told of its callers, and in which order a call is looked at. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { test } from "node:test";
import { webhook } from "../support/flows.ts";
import { install, outcome, shopKey, shopOnly, withKey } from "../support/policies.ts";
import { startTestApp, type TestApp, token } from "../support/start-app.ts";
import { exchangeRaw, parseAnswer, requestRaw } from "./http/raw.ts";

const port = (app: TestApp): number => Number(new URL(app.url).port);
const seen = "${header.CamelPrincipal}|${header.CamelPrincipalType}|${header.CamelPrincipalRoles}";

const claimed = (id: string, uri: string): string =>
  `- route:\n    id: ${id}\n    from:\n      uri: ${uri}\n      steps:\n        - setBody: { simple: "${seen}" }\n`;

const secret = "a-secret-of-github-that-is-long-enough";

test("calls to flows with a policy", async (t) => {
  const limits = { webhookBodyBytes: 1000, signedBodyBytes: 1000, authFailuresPerMinute: 1000 };
  const app = await startTestApp(t, { limits, secrets: { "f/HOOK": secret } });

  await t.test("a flow sees who calls, from the runtime only, and no flow without a policy does", async () => {
    await app.put("guarded", webhook("guarded", `setBody: { simple: "${seen}" }`));
    await app.put("open", webhook("open", `setBody: { simple: "${seen}" }`));
    await app.put("paths", claimed("paths", "platform-http:/shop/{item}"));
    await install(app, "guarded", shopOnly);
    await install(app, "paths", shopOnly);
    const forged = {
      CamelPrincipal: "forged",
      CAMELPRINCIPAL: "forged",
      camelprincipaltype: "forged",
      cAmElPrincipalRoles: "admin",
    };
    const query = "?CamelPrincipal=forged&camelprincipalroles=admin&CAMELPRINCIPALTYPE=forged";
    for (const more of [{}, forged, { Connection: "CamelPrincipal, CamelPrincipalRoles" }]) {
      for (const path of ["/api/guarded", `/api/guarded${query}`, "/shop/17", `/shop/17${query}`]) {
        const lines = Object.entries({ ...withKey, ...more, "Content-Length": 0 }).map((line) => line.join(": "));
        const { status, body } = await requestRaw(port(app), `POST ${path} HTTP/1.1`, lines);
        assert.deepEqual([status, body], [200, "shop|apiKey|sender,b2b"], path);
      }
      const lines = Object.entries({ ...more, "Content-Length": 0 }).map((line) => line.join(": "));
      assert.equal((await requestRaw(port(app), `POST /api/open${query} HTTP/1.1`, lines)).body, "||");
    }
    const form = { ...withKey, "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await app.post("/shop/17", "CamelPrincipal=forged&camelPrincipalRoles=admin", form);
    assert.equal(await answer.text(), "shop|apiKey|sender,b2b");
    const [run] = (await (await app.api("/runs?routeId=guarded&limit=1")).json()) as { trigger: object }[];
    assert.deepEqual(run?.trigger, {
      ...{ kind: "webhook", uri: "webhook", method: "POST", path: "/api/guarded" },
      principal: "key:shop",
    });
    const [open] = (await (await app.api("/runs?routeId=open&limit=1")).json()) as { trigger: object }[];
    assert.equal("principal" in (open?.trigger ?? {}), false);
  });

  await t.test(
    "credentials of the policy and the deploy token do not reach the flow, other headers and cookies do",
    async () => {
      const all = "${header.authorization}|${header.x-api-key}|${header.cookie}|${header.x-own}";
      await app.put("guarded", webhook("guarded", `setBody: { simple: "${all}" }`));
      await app.put("open", webhook("open", `setBody: { simple: "${all}" }`));
      await install(app, "guarded", shopOnly);
      const more = { Cookie: "c=1", "X-Own": "mine" };
      const text = async (path: string, headers: Record<string, string>): Promise<string> =>
        (await app.post(path, "x", { ...headers, ...more })).text();
      assert.equal(await text("/api/guarded", withKey), "||c=1|mine");
      assert.equal(await text("/api/guarded", { Authorization: `Bearer ${shopKey}` }), "||c=1|mine");
      assert.equal(await text("/api/guarded", { Authorization: `Bearer ${token}` }), "||c=1|mine");
      assert.equal(
        await text("/api/open", { ...withKey, Authorization: "Bearer theirs" }),
        `Bearer theirs|${shopKey}|c=1|mine`,
      );
      assert.equal(await text("/api/open", { "X-API-Key": token, Authorization: `Bearer ${token}` }), "||c=1|mine");
    },
  );

  await t.test("of several Authorization headers none counts, whichever is right", async () => {
    await app.put("guarded", webhook("guarded", 'setBody: { constant: "in" }'));
    await install(app, "guarded", shopOnly);
    const right = `Authorization: Bearer ${shopKey}`;
    for (const lines of [
      [right, "Authorization: Bearer wrong"],
      ["authorization: Bearer wrong", right],
      [right, right],
      [right, `Authorization: Bearer ${token}`],
    ]) {
      const { status } = await requestRaw(port(app), "POST /api/guarded HTTP/1.1", [...lines, "Content-Length: 0"]);
      assert.equal(status, 401, lines.join());
    }
  });

  await t.test("credentials come before everything that the head says, but not before the route", async () => {
    await app.put("f", webhook("f", 'setBody: { constant: "in" }'));
    await app.put("stopped", webhook("stopped", 'setBody: { constant: "in" }'));
    await app.put("paths", claimed("paths", "platform-http:/items?httpMethodRestrict=POST&consumes=application/json"));
    await app.put("halted", claimed("halted", "platform-http:/halted"));
    for (const id of ["f", "stopped", "paths", "halted"]) await install(app, id, shopOnly);
    for (const id of ["stopped", "halted"]) await app.api(`/flows/${id}/stop`, { method: "POST" });
    const big = "x".repeat(1001);
    const rows: readonly (readonly [method: string, path: string, init: RequestInit, known: string])[] = [
      ["POST", "/api/f", {}, "200"],
      ["GET", "/api/f", {}, "405 method_not_allowed"],
      ["OPTIONS", "/api/f", {}, "405 method_not_allowed"],
      ["POST", "/api/f", { body: big }, "413 body_too_large"],
      ["POST", "/api/f", { body: "x", headers: { "Content-Encoding": "gzip" } }, "415 unsupported_media_type"],
      ["POST", "/api/f", { headers: { "Idempotency-Key": "" } }, "400 bad_idempotency_key"],
      ["POST", "/api/stopped", {}, "503 route_stopped"],
      ["POST", "/halted", {}, "503 route_stopped"],
      ["GET", "/items", {}, "405 method_not_allowed"],
      ["POST", "/items", { body: "x", headers: { "Content-Type": "text/plain" } }, "415 unsupported_media_type"],
      ["POST", "/items", { body: "{}", headers: { "Content-Type": "application/json" } }, "200"],
    ];
    for (const [method, path, init, known] of rows) {
      const send = async (headers: Readonly<Record<string, string>>): Promise<string> =>
        outcome(
          await fetch(app.url + path, { method, ...init, headers: { ...init.headers, ...headers } as HeadersInit }),
        );
      assert.equal(await send({}), "401 unauthenticated", `${method} ${path}`);
      assert.equal(await send({ "X-API-Key": "wrong" }), "401 unauthenticated", `${method} ${path}`);
      assert.equal(await send(withKey), known, `${method} ${path}`);
    }
    for (const path of ["/api/nobody", "/nowhere"]) assert.equal(outcome(await app.post(path)), "404 not_found");
  });

  await t.test("who waits for 100 Continue is refused without it, for its credentials and for its size", async () => {
    await app.put("f", webhook("f", 'setBody: { simple: "${body}" }'));
    await install(app, "f", shopOnly);
    const send = (lines: readonly string[], body = ""): Promise<string> => {
      const head = ["POST /api/f HTTP/1.1", "Host: x", "Connection: close", "Expect: 100-continue", ...lines].join(
        "\r\n",
      );
      return exchangeRaw(port(app), `${head}\r\n\r\n`, body);
    };
    const refused = parseAnswer(await send(["Content-Length: 5"]));
    assert.equal(refused.status, 401);
    assert.match(refused.headers["www-authenticate"] ?? "", /^Bearer realm=/);
    assert.equal(parseAnswer(await send([`X-API-Key: ${shopKey}`, "Content-Length: 1001"])).status, 413);
    assert.match(
      await send([`X-API-Key: ${shopKey}`, "Content-Length: 5"], "hello"),
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
    );
  });

  await t.test("signatures are over exactly the bytes that came: a byte order mark, no UTF-8, in chunks", async () => {
    await app.put("f", webhook("f", 'setBody: { constant: "in" }'));
    await install(app, "f", {
      principals: { github: { type: "hmac", scheme: "github", secretRef: "HOOK" } },
      rules: [{ allow: ["invoke"], principals: ["github"] }],
    });
    const bodies: readonly Buffer[] = [
      Buffer.from("\ufeff{}"),
      Buffer.from([0xff, 0xfe, 0x00, 0xc3]),
      Buffer.from('{ "a" : 1.0 }\r\n'),
      Buffer.alloc(1000, "x"),
      Buffer.alloc(0),
    ];
    for (const body of bodies) {
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      const headers = { "Content-Type": "application/json", "X-Hub-Signature-256": signature };
      const plain = await app.post("/api/f", new Uint8Array(body), { ...headers, "Content-Type": "text/plain" });
      assert.equal(plain.status, 200, `${body.length} bytes`);
      const chunks = Array.from({ length: Math.ceil(body.length / 7) }, (_, i) => body.subarray(7 * i, 7 * i + 7));
      const framed = chunks.flatMap((chunk) => [`${chunk.length.toString(16)}\r\n`, chunk, "\r\n"]);
      const head = `POST /api/f HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nX-Hub-Signature-256: ${signature}\r\n\r\n`;
      // GitHub's deliveries have an id; one without is known by its bytes, which have come before now.
      const again = head.replace("\r\n\r\n", `\r\nX-GitHub-Delivery: ${body.length}\r\n\r\n`);
      assert.equal(parseAnswer(await exchangeRaw(port(app), again, ...framed, "0\r\n\r\n")).status, 200);
      if (body.length > 0) {
        const changed = new Uint8Array(body);
        changed[0] = (changed[0] ?? 0) ^ 1;
        assert.equal((await app.post("/api/f", changed, headers)).status, 401);
      }
    }
  });

  await t.test(
    "what is signed has a size of its own, declared or not; what shows a key has the webhook's",
    async () => {
      const keyed = { ...shopOnly.principals, github: { type: "hmac", scheme: "github", secretRef: "HOOK" } };
      await app.put("f", webhook("f", 'setBody: { constant: "in" }'), { limits: { signedBodyBytes: 10 } });
      await install(app, "f", { principals: keyed, rules: [{ allow: ["invoke"], principals: ["shop", "github"] }] });
      for (const [body, status] of [
        ["0123456789", 200],
        ["0123456789x", 413],
      ] as const) {
        const signature = `X-Hub-Signature-256: sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
        const head = `POST /api/f HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${signature}\r\n`;
        const id = (text: string): string => `X-GitHub-Delivery: ${text}${body.length}\r\n`;
        const declared = await exchangeRaw(port(app), `${head}${id("a")}Content-Length: ${body.length}\r\n\r\n`, body);
        const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
        const streamed = await exchangeRaw(port(app), `${head}${id("b")}Transfer-Encoding: chunked\r\n\r\n`, chunk);
        assert.deepEqual([parseAnswer(declared).status, parseAnswer(streamed).status], [status, status]);
      }
      assert.equal((await app.post("/api/f", "0123456789x", withKey)).status, 200);
    },
  );

  await t.test(
    "a caller that is refused while its body comes keeps its connection, as with other refusals",
    async () => {
      await app.put("f", webhook("f", 'setBody: { constant: "in" }'));
      await install(app, "f", shopOnly);
      const socket = connect(port(app), "127.0.0.1");
      t.after(() => socket.destroy());
      let text = "";
      socket.setEncoding("latin1").on("data", (part: string) => {
        text += part;
      });
      const send = `POST /api/f HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n`;
      socket.write(`${send}\r\nhello${send}X-API-Key: ${shopKey}\r\nConnection: close\r\n\r\nhello`);
      await new Promise((resolve) => socket.on("close", resolve));
      assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 401", "HTTP/1.1 200"]);
    },
  );
});
