/** The next messages of a consumer, which stay where they are: what is shown of them, and what is refused. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startLineServer } from "../support/line-server.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../support/start-app.ts";

const threadEntry = new URL("../support/lines/flow-worker.ts", import.meta.url);
const checkEntry = new URL("../support/lines/check-worker.ts", import.meta.url);

async function consuming(t: TestContext, password: string, options: TestAppOptions = {}): Promise<TestApp> {
  const server = await startLineServer(t);
  const app = await startTestApp(t, { threadEntry, checkEntry, egressAllow: `lines/${server.address}`, ...options });
  const uri = `lines:${server.address}?password=${password}`;
  const answer = await app.put(
    "f",
    `- route: { id: taker, from: { uri: "${uri}", steps: [{ log: x }] } }
- route: { id: queue, from: { uri: "seda:q", steps: [{ log: x }] } }
- route: { id: hook, from: { uri: webhook, steps: [{ log: x }] } }
`,
  );
  assert.ok(answer.ok, await answer.text());
  return app;
}

const peek = (app: TestApp, routeId: string, query = ""): Promise<Response> =>
  app.api(`/flows/f/routes/${routeId}/messages${query}`);

for (const isolation of ["thread", "process"] as const)
  test(`the next messages of a consumer are shown with where they stand, and secrets in them are not: ${isolation}`, async (t) => {
    const app = await consuming(t, "{{secret:LINES}}", { isolation, secrets: { "f/LINES": "pass-of-lines" } });
    const answer = await peek(app, "taker", "?limit=2");
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.deepEqual(await answer.json(), [
      { at: "lines/0", headers: { LineId: "0" }, body: "line 0 ***", bodyType: "String", unreadable: null },
      {
        at: "lines/1",
        headers: { LineId: "1" },
        body: "line 1 ***",
        bodyType: "String",
        unreadable: "not a line: ***",
      },
    ]);
    assert.equal(((await (await peek(app, "taker")).json()) as unknown[]).length, 10);
  });

test("the health report says of each consumer whether it can be looked at", async (t) => {
  const app = await consuming(t, "none");
  const { consumers } = (await (await app.api("/health")).json()) as {
    readonly consumers: readonly { readonly routeId: string; readonly peeks: boolean }[];
  };
  assert.deepEqual(Object.fromEntries(consumers.map(({ routeId, peeks }) => [routeId, peeks])), {
    taker: true,
    queue: false,
  });
});

test("a consumer that cannot be looked at, a route without one, a server that fails and a bad limit are refused with the reason", async (t) => {
  const app = await consuming(t, "fail");
  const refused = async (routeId: string, query = ""): Promise<readonly unknown[]> => {
    const answer = await peek(app, routeId, query);
    return [answer.status, answer.headers.get("x-error-code"), ((await answer.json()) as { error: string }).error];
  };
  assert.deepEqual(await refused("queue"), [
    409,
    "not_peekable",
    "route 'queue' (seda:q): its messages cannot be looked at without being taken",
  ]);
  assert.deepEqual(await refused("hook"), [409, "not_peekable", "route 'hook' (webhook) takes no messages by itself"]);
  assert.deepEqual(await refused("taker"), [409, "not_peekable", "route 'taker': nothing can be seen with fail"]);
  assert.equal((await refused("none"))[1], "not_found");
  assert.deepEqual((await refused("taker", "?limit=51")).slice(0, 2), [400, "bad_query"]);
  assert.equal((await app.api("/flows/f/stop", { method: "POST" })).status, 200);
  assert.equal((await refused("taker"))[1], "not_peekable");
});
