/** How much callers may ask of a flow with a policy, what guessing costs, and what of denials is logged and counted. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { github, jwt, startProvider, tokenKey } from "../support/credentials.ts";
import { webhook } from "../support/flows.ts";
import { install, outcome, shopKey, shopOnly, withKey } from "../support/policies.ts";
import { startTestApp, type TestApp, token } from "../support/start-app.ts";

/** Once in an hour, after these at once: no test waits for a token. */
const rare = (burst: number) => ({ rps: 1 / 3600, burst });
const from = (address: string) => ({ "X-Forwarded-For": address });

async function denials(app: TestApp, flow: string): Promise<string[]> {
  const text = await (await app.api("/metrics")).text();
  const lines = text.split("\n").filter((line) => line.startsWith(`bulkhead_policy_denials_total{flow="${flow}"`));
  return lines.map((line) => line.replace(/^.*,code="(\w+)",mode="(\w+)"\} /, "$1 $2 ")).sort();
}

test("what callers may ask", async (t) => {
  const secret = "a-secret-of-github-that-is-long-enough";
  const ready = Promise.withResolvers<void>();
  const tokenOfAlice = tokenKey("k");
  const provider = await startProvider(t, [tokenOfAlice], ready.promise);
  const readyLater = Promise.withResolvers<void>();
  const later = await startProvider(t, [tokenOfAlice], readyLater.promise);
  const app = await startTestApp(t, {
    ...{ trustProxy: "127.0.0.1", egressAllow: `${provider.host},${later.host}`, limits: { authFailuresPerMinute: 1 } },
    secrets: { "_shared/HOOK": secret },
  });
  await app.put("f", webhook("f", 'setBody: { constant: "in" }'));
  await app.put("slow", webhook("slow", 'log: "began"', "delay: { simple: '${header.ms}' }"));

  await t.test(
    "each named caller has a bucket of its own, each address without a name one, and the deploy token none",
    async () => {
      const other = "other-8a1c9a7be5f20846d1c9a7be5f2084";
      await install(app, "f", {
        principals: { ...shopOnly.principals, other: { type: "apiKey", key: other } },
        rules: [{ allow: ["invoke"], principals: ["*"] }],
        anonymous: { allow: ["invoke"] },
        rateLimit: { perPrincipal: rare(2), perAddress: rare(1) },
      });
      const told = async (headers: Record<string, string>): Promise<string> => {
        const answer = await app.post("/api/f", "", headers);
        const [limit, remaining] = ["limit", "remaining"].map((name) => answer.headers.get(`ratelimit-${name}`));
        // In parts of an hour, which the test does not take.
        const hours = ["ratelimit-reset", "retry-after"].map((name) =>
          Math.ceil(Number(answer.headers.get(name)) / 3600),
        );
        return `${outcome(answer)} ${limit},${remaining} ${hours}`;
      };
      assert.equal(await told(withKey), "200 2,1 1,0");
      assert.equal(await told({ Authorization: `Bearer ${shopKey}` }), "200 2,0 2,0");
      assert.equal(await told(withKey), "429 rate_limited 2,0 2,1");
      assert.equal(await told({ "X-API-Key": other }), "200 2,1 1,0");
      assert.equal(await told({}), "200 1,0 1,0");
      assert.equal(await told({}), "429 rate_limited 1,0 1,1");
      assert.equal(await told(from("198.51.100.1")), "200 1,0 1,0");
      assert.equal(await told(from("203.0.113.1, 198.51.100.1")), "429 rate_limited 1,0 1,1");
      for (let i = 0; i < 4; i++) {
        const answer = await fetch(`${app.url}/api/f`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}` },
        });
        assert.deepEqual([answer.status, answer.headers.get("ratelimit-limit")], [200, null]);
      }
      await app.api("/auth/f", { method: "DELETE" });
      assert.equal(await told({}), "200 null,null 0,0");
    },
  );

  await t.test(
    "no more calls are under way than there are places, and each place is free again however its call ends",
    async () => {
      const most = 2;
      await install(app, "slow", { ...shopOnly, concurrency: { maxInflight: most } });
      const call = (ms: number, more: RequestInit = {}): Promise<Response> =>
        fetch(`${app.url}/api/slow`, {
          method: "POST",
          ...more,
          headers: { ...withKey, ms: String(ms), ...(more.headers as object) },
        });
      let begun = 0;
      const begins = (count: number): Promise<unknown> => {
        begun += count;
        return eventually(
          () => app.logs.filter(({ message }) => message === "began").length === begun,
          `${begun} runs began`,
        );
      };
      const noneRuns = (): Promise<unknown> =>
        eventually(async () => {
          const runs = (await (await app.api("/runs?routeId=slow")).json()) as { status: string }[];
          return runs.every(({ status }) => status !== "running");
        }, "no run is under way");
      /** All places are free: so many calls are let in at once, and one more is not. */
      const allFree = async (): Promise<void> => {
        const aborts = Array.from({ length: most }, () => new AbortController());
        const calls = aborts.map(({ signal }) => call(60_000, { signal }));
        await begins(most);
        assert.equal(outcome(await call(0)), "429 too_many_in_flight");
        for (const abort of aborts) abort.abort();
        for (const one of calls) await assert.rejects(one);
        // An aborted call's place is free when its run is over.
        await noneRuns();
      };
      await allFree();
      for (let i = 0; i < 3 * most; i++) assert.equal((await call(0)).status, 200);
      begun += 3 * most;
      for (const headers of [{ "Idempotency-Key": "" }, { "Content-Encoding": "gzip" }]) {
        for (let i = 0; i <= most; i++) assert.notEqual((await call(0, { headers })).status, 429);
      }
      for (let i = 0; i <= most; i++) assert.equal((await call(0, { method: "PUT" })).status, 405);
      await allFree();
      const lost = Array.from({ length: most }, () => call(60_000));
      await begins(most);
      // Its thread is killed with what is under way in it, since that does not end in time.
      await app.api("/flows/slow?drainMs=1", { method: "DELETE" });
      for (const one of lost) assert.ok((await one).status >= 500);
      await app.put("slow", webhook("slow", 'log: "began"', "delay: { simple: '${header.ms}' }"));
      await allFree();
      // A signature that is wrong is found with the body, and has no place to give back.
      const github = { type: "hmac", scheme: "github", secretRef: "HOOK" };
      const principals = { ...shopOnly.principals, github };
      await install(app, "slow", { ...shopOnly, principals, concurrency: { maxInflight: most } });
      const forged = { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}`, ...from("192.0.2.201") };
      const under = new AbortController();
      const first = call(60_000, { signal: under.signal });
      await begins(1);
      assert.equal(outcome(await app.post("/api/slow", "x", forged)), "401 unauthenticated");
      const next = call(60_000, { signal: under.signal });
      await begins(1);
      assert.equal(outcome(await call(0)), "429 too_many_in_flight");
      under.abort();
      for (const one of [first, next]) await assert.rejects(one);
      await noneRuns();
      const accepted = await call(60_000, { headers: { Prefer: "respond-async" } });
      assert.equal(accepted.status, 202);
      await begins(1);
      const beside = new AbortController();
      const second = call(60_000, { signal: beside.signal });
      await begins(1);
      assert.equal(outcome(await call(0)), "429 too_many_in_flight");
      await app.api(`${accepted.headers.get("location")?.slice("/_api".length)}/cancel`, { method: "POST" });
      beside.abort();
      await assert.rejects(second);
      await noneRuns();
      await allFree();
    },
  );

  await t.test(
    "a place is free when its caller leaves before its body has come, or while keys are fetched",
    async () => {
      await install(app, "f", { ...shopOnly, concurrency: { maxInflight: 1 } });
      const head = `POST /api/f HTTP/1.1\r\nHost: x\r\nX-API-Key: ${shopKey}\r\nContent-Length: 5\r\n`;
      const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
      const answers: string[] = [];
      socket.setEncoding("latin1").on("data", (text: string) => answers.push(text));
      socket.write(`${head}Expect: 100-continue\r\n\r\n`);
      await eventually(() => answers.length > 0, "its head is let in");
      assert.equal(outcome(await app.post("/api/f", "", withKey)), "429 too_many_in_flight");
      socket.destroy();
      await eventually(async () => (await app.post("/api/f", "", withKey)).status === 200, "the place is free");

      await install(app, "f", { ...provider.policy, concurrency: { maxInflight: 1 } });
      const headers = { Authorization: `Bearer ${jwt(tokenOfAlice, provider.claims())}` };
      const abort = new AbortController();
      const gone = fetch(`${app.url}/api/f`, { method: "POST", headers, signal: abort.signal });
      await eventually(() => provider.heard.length > 0, "the keys are asked for");
      abort.abort();
      await assert.rejects(gone);
      await app.api("/health");
      ready.resolve();
      for (let i = 0; i < 3; i++) assert.equal(outcome(await app.post("/api/f", "", headers)), "200");

      // The policy has come while the body did, and its keys are not there yet when the caller leaves.
      await app.api("/auth/f", { method: "DELETE" });
      const token = `Authorization: Bearer ${jwt(tokenOfAlice, later.claims())}`;
      const open = connect(Number(new URL(app.url).port), "127.0.0.1");
      answers.length = 0;
      open.setEncoding("latin1").on("data", (text: string) => answers.push(text));
      open.write(`${head}${token}\r\nExpect: 100-continue\r\n\r\n`);
      await eventually(() => answers.length > 0, "its head is let in");
      await install(app, "f", { ...later.policy, concurrency: { maxInflight: 1 } });
      open.write("hello");
      await eventually(() => later.heard.length > 0, "the keys are asked for");
      const left = eventually(async () => {
        const text = await (await app.api("/metrics")).text();
        return text.includes('bulkhead_bytes_in_flight{flow="f"} 0\n');
      }, "the caller has left");
      open.destroy();
      await left;
      readyLater.resolve();
      const second = { Authorization: token.slice("Authorization: ".length) };
      for (let i = 0; i < 3; i++) assert.equal(outcome(await app.post("/api/f", "", second)), "200");
    },
  );

  await t.test("who only claims to have signed takes no place while its body comes", async () => {
    const github = { type: "hmac", scheme: "github", secretRef: "HOOK" };
    const principals = { ...shopOnly.principals, github };
    await install(app, "f", { ...shopOnly, principals, concurrency: { maxInflight: 1 } });
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    const answers: string[] = [];
    socket.setEncoding("latin1").on("data", (text: string) => answers.push(text));
    const forged = `X-Hub-Signature-256: sha256=${"0".repeat(64)}`;
    socket.write(`POST /api/f HTTP/1.1\r\nHost: x\r\n${forged}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`);
    await eventually(() => answers.length > 0, "its body is waited for");
    assert.equal(outcome(await app.post("/api/f", "", withKey)), "200");
    socket.destroy();
  });

  await t.test(
    "a signed delivery that was turned away may come again as it is, one that was carried out may not",
    async () => {
      const signed = {
        principals: { github: { type: "hmac", scheme: "github", secretRef: "HOOK" } },
        rules: [{ allow: ["invoke"], principals: ["github"] }],
      };
      await install(app, "f", { ...signed, rateLimit: { perPrincipal: rare(1) } });
      const deliver = async (id: string): Promise<string> =>
        outcome(await app.post("/api/f", "x", github(secret, "x", id)));
      assert.equal(await deliver("1"), "200");
      assert.equal(await deliver("2"), "429 rate_limited");
      await install(app, "f", signed);
      assert.equal(await deliver("2"), "200");
      assert.equal(await deliver("2"), "401 unauthenticated");
    },
  );

  await t.test(
    "a signed delivery that was answered with what an earlier one had answered is used up, too",
    async () => {
      await install(app, "f", {
        principals: { github: { type: "hmac", scheme: "github", secretRef: "HOOK" } },
        rules: [{ allow: ["invoke"], principals: ["github"] }],
      });
      const deliver = (id: string, more: object): Promise<Response> =>
        app.post("/api/f", "x", { ...github(secret, "x", id), ...more });
      const first = await deliver("k1", { "Idempotency-Key": "once" });
      const repeated = await deliver("k2", { "Idempotency-Key": "once" });
      assert.equal(repeated.headers.get("x-run-id"), first.headers.get("x-run-id"));
      await repeated.text();
      assert.equal(outcome(await deliver("k2", from("203.0.113.9"))), "401 unauthenticated", "no run without its key");
    },
  );

  await t.test(
    "who guesses keys is slowed down, and does not learn that one is right; known callers beside it go on",
    async () => {
      await install(app, "f", shopOnly);
      const guess = async (key: string, address: string): Promise<string> =>
        outcome(await app.post("/api/f", "", { "X-API-Key": key, ...from(address) }));
      const attacker = "198.51.100.66";
      assert.equal(await guess("a guess", attacker), "401 unauthenticated");
      assert.equal(await guess("another guess", attacker), "429 rate_limited");
      assert.equal(await guess(shopKey, "198.51.100.67"), "200");
      // Known by now, wherever it comes from.
      assert.equal(await guess(shopKey, attacker), "200");
      const fresh = "fresh-8a1c9a7be5f20846d1c9a7be5f2084";
      await install(app, "f", { ...shopOnly, principals: { shop: { type: "apiKey", key: fresh, roles: ["sender"] } } });
      assert.equal(await guess(fresh, attacker), "429 rate_limited");
      assert.equal(await guess(fresh, "198.51.100.67"), "200");
      assert.equal(outcome(await app.post("/api/f", "", from(attacker))), "401 unauthenticated");
    },
  );

  await t.test("denials are counted by code, told once in a while, and their figures go with the policy", async () => {
    await app.put("told", webhook("told", 'setBody: { constant: "in" }'));
    await install(app, "told", shopOnly);
    for (let i = 0; i < 30; i++)
      await app.post("/api/told", "", { "X-API-Key": `secret guess ${i}`, ...from(`192.0.2.${i}`) });
    for (let i = 0; i < 3; i++) await app.post("/api/told");
    assert.equal((await app.post("/api/told", "", { ...withKey, ...from("192.0.2.200") })).status, 200);
    assert.deepEqual(await denials(app, "told"), ["unauthenticated enforce 33"]);
    const lines = app.logs.filter(({ flowId, message }) => flowId === "told" && message.startsWith("denied"));
    assert.ok(lines.length >= 2 && lines.length < 20, `${lines.length} lines`);
    for (const { level, message } of lines) {
      assert.equal(level, "WARN");
      assert.doesNotMatch(message, /secret guess/);
    }
    await app.api("/auth/told", { method: "DELETE" });
    assert.deepEqual(await denials(app, "told"), []);
  });

  await t.test(
    "a policy that only reports denies nothing, tells callers nothing, and counts what it would have done",
    async () => {
      await app.put("watched", webhook("watched", 'setBody: { constant: "in" }'));
      await install(app, "watched", {
        ...shopOnly,
        ...{ mode: "report", rateLimit: { perPrincipal: rare(1) }, concurrency: { maxInflight: 1 } },
      });
      for (let i = 0; i < 20; i++) {
        const answer = await app.post("/api/watched", "", i < 18 ? { "X-API-Key": "wrong" } : withKey);
        assert.equal(answer.status, 200);
        const names = [...answer.headers.keys()].filter((name) => /policy|deny|ratelimit|www-auth/.test(name));
        assert.deepEqual(names, []);
      }
      assert.deepEqual(await denials(app, "watched"), ["rate_limited report 1", "unauthenticated report 18"]);
      const lines = app.logs
        .filter(({ flowId, message }) => flowId === "watched" && message.startsWith("would be denied"))
        // When the calls take longer than ten seconds, a line is written again with the number of its repetitions.
        .map(({ message }) => message.replace(/ \(\d+ more since\)$/, ""));
      assert.equal(new Set(lines).size, 2);
    },
  );
});
