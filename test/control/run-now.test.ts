/** `POST /_api/flows/:id/routes/:routeId/trigger` (docs/api.md 4): which routes it begins, with what, and how it answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { heldStep } from "../support/held-step.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const route = (id: string, uri: string, ...steps: readonly string[]): string =>
  `- route:\n    id: ${id}\n    from:\n      uri: "${uri}"\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;

const errorOf = async (response: Response): Promise<string> => ((await response.json()) as { error: string }).error;

interface Answer {
  readonly runId: string;
  readonly status: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly error: { readonly message: string } | null;
}

function trigger(app: TestApp, path: string, sent?: unknown): Promise<Response> {
  const body =
    sent === undefined ? {} : { body: JSON.stringify(sent), headers: { "content-type": "application/json" } };
  return app.api(`/flows/${path}/trigger`, { method: "POST", ...body });
}

async function begun(app: TestApp, path: string, sent?: unknown): Promise<Answer> {
  const response = await trigger(app, path, sent);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Answer;
}

test("each kind of clock can be begun now, with and without a message", async (t) => {
  const app = await startTestApp(t);
  const uris = {
    timer: "timer:t?delay=1h",
    scheduler: "scheduler:s?initialDelay=3600000",
    cron: "cron:c?schedule=0+0+1+1+*",
    quartz: "quartz:g/q?cron=0+0+0+1+1+?",
  };
  const steps = ['setBody: { simple: "${body} ${header.n}" }'];
  await app.put(
    "f",
    Object.entries(uris)
      .map(([id, uri]) => route(id, uri, ...steps))
      .join(""),
  );
  for (const id of Object.keys(uris)) {
    const { status, body, runId } = await begun(app, `f/routes/${id}`, { headers: { n: 7 }, body: "hello" });
    assert.deepEqual([status, body], ["completed", "hello 7"], id);
    const run = (await (await app.api(`/runs/${runId}`)).json()) as { routeId: string; trigger: object };
    assert.equal(run.routeId, id);
    assert.equal((run.trigger as { kind: string }).kind, "manual");
    assert.equal((await begun(app, `f/routes/${id}`)).body, " ");
  }
});

test("a run that is begun now has a tick's metadata, which its own headers replace", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    route("q", "quartz:g/q?cron=0+0+0+1+1+?", 'setBody: { simple: "${header.triggerName} ${header.refireCount}" }'),
  );
  assert.equal((await begun(app, "f/routes/q", { headers: { refireCount: 3 } })).body, "q 3");
});

test("a polling route begins with what it is given, and its files are left alone", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    route("p", "file:in?initialDelay=3600000", 'setBody: { simple: "got ${body} of ${header.CamelFileName}" }'),
  );
  const answer = await begun(app, "f/routes/p", { headers: { CamelFileName: "a.csv" }, body: "x" });
  assert.equal(answer.body, "got x of a.csv");
});

test("a run that fails is answered with its error, as test/invoke does", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    route("r", "timer:t?delay=1h", 'throwException: { exceptionType: java.io.IOException, message: "broken" }'),
  );
  const { status, error } = await begun(app, "f/routes/r");
  assert.equal(status, "failed");
  assert.equal(error?.message, "broken");
});

test("routes without a clock are refused with the way to call them", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    route("hook", "webhook", "log: x") +
      route("path", "platform-http:/orders?httpMethodRestrict=PUT", "log: x") +
      route("part", "direct:part", "log: x") +
      route("queue", "seda:queue", "log: x"),
  );
  const ways = {
    hook: /send POST http.*[/]api[/]hook/,
    path: /PUT to http.*[/]orders/,
    part: /call direct:part/,
    queue: /seda:queue/,
  };
  for (const [id, way] of Object.entries(ways)) {
    const response = await trigger(app, `f/routes/${id}`);
    assert.equal(response.status, 409, id);
    assert.equal(response.headers.get("x-error-code"), "not_triggerable");
    assert.match(await errorOf(response), way);
  }
});

test("what does not exist, does not run or cannot be read is refused", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", route("tick", "timer:t?delay=1h", "log: x"));
  const refused = async (path: string, sent: unknown, status: number, message: RegExp): Promise<void> => {
    const response = await trigger(app, path, sent);
    assert.equal(response.status, status);
    assert.match(await errorOf(response), message);
  };
  await refused("none/routes/tick", undefined, 404, /no flow 'none'/);
  await refused("f/routes/tack", undefined, 404, /did you mean 'tick'/);
  await refused("f/routes/tick", { bodi: "x" }, 400, /bodi/);
  await refused("f/routes/tick", { headers: [] }, 400, /headers/);
  await app.api("/flows/f/stop", { method: "POST" });
  await refused("f/routes/tick", undefined, 409, /is Stopped: start it first/);
});

test("a clock whose runs do not overlap has none begun beside another, and its ticks wait for one that was", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  await app.put("f", route("slow", "timer:t?delay=1h", held.step));
  const first = begun(app, "f/routes/slow");
  await held.holds(1);
  const second = await trigger(app, "f/routes/slow");
  assert.equal(second.status, 409);
  assert.match(await errorOf(second), /one at a time/);
  held.letGo();
  assert.equal((await first).status, "completed");
  const third = begun(app, "f/routes/slow");
  await held.holds(1);
  held.letGo();
  assert.equal((await third).status, "completed");
});

test("a run that takes longer than timerWallMs is answered 504 with its id", async (t) => {
  const app = await startTestApp(t, { limits: { timerWallMs: 300 } });
  await app.put("f", route("slow", "timer:t?delay=1h", "delay: { constant: 60000 }"));
  const response = await trigger(app, "f/routes/slow");
  assert.equal(response.status, 504);
  assert.match(await errorOf(response), /run '.*' was not over within the flow's limit timerWallMs/);
});
