/** A message is tried: through a real designer's server, in a session of a real runtime. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { FlowAnswer } from "../../../designer/shared/wire.ts";
import { messageFor, sendMessage } from "../../../designer/web/src/try/send-message.ts";
import { createClient } from "../../../src/client/index.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { pageHeaders, startTestDesigner } from "../server/support/start-designer.ts";

const yaml = `- route:
    id: shop
    from:
      uri: webhook
      steps:
        - setHeader: { id: mark, name: mark, constant: "1" }
        - to: { id: crm, uri: "http://127.0.0.1:1/x" }
        - setBody: { id: end, constant: done }
- route:
    id: tick
    from:
      uri: timer:t?delay=1000000
      steps:
        - setBody: { id: said, simple: "got \${body}" }
`;

async function doors(t: TestContext) {
  const runtime = await startTestApp(t);
  const { url, json } = await startTestDesigner(t, { env: { RUNTIME_URL: runtime.url, SERVICE_DEPLOY_TOKEN: token } });
  const client = createClient({
    url: `${url}/targets/default`,
    fetch(request) {
      for (const [name, value] of Object.entries(pageHeaders)) request.headers.set(name, value);
      return fetch(request);
    },
  });
  await json("PUT", "/targets/default/_api/flows/shop", { yaml });
  return { client, callFlow: (call: object) => json<FlowAnswer>("POST", "/targets/default/call", call) };
}

test("a webhook's message: the answer, and each step's message, whatever the flow records", async (t) => {
  const open = await doors(t);
  const post = { ...messageFor("shop", "webhook").post, path: "/api/shop", body: { total: 3 } };
  const mocks = [{ stepId: "crm", respond: { body: "mocked" } }];
  const { answer, run, report } = await sendMessage(open, "shop", { name: "try", post, mocks });
  assert.deepEqual([answer?.status, answer?.body, report.passed, report.closed], [200, "done", true, true]);
  assert.deepEqual(
    run?.stepRuns.map(({ id, mocked, out }) => [id, mocked, out?.body]),
    [
      ["mark", false, '{"total":3}'],
      ["crm", true, "mocked"],
      ["end", false, "done"],
    ],
  );
});

test("a step that fails: where and why, with the message as the step received it", async (t) => {
  const { answer, run } = await sendMessage(await doors(t), "shop", {
    name: "try",
    post: { path: "/api/shop", body: "x" },
  });
  assert.equal(answer?.status, 500);
  assert.deepEqual([run?.status, run?.error?.stepId, run?.steps.executed], ["failed", "crm", 2]);
  assert.equal(run?.stepRuns.at(-1)?.in?.headers["mark"], "1");
});

test("a timer's route is begun by an endpoint in place of its trigger", async (t) => {
  const { replaceFrom, invoke } = messageFor("tick", "timer:t?delay=1000000");
  const message = { name: "try", replaceFrom, invoke: { ...invoke, body: "now" } };
  const { result, run } = await sendMessage(await doors(t), "shop", message);
  assert.deepEqual([result?.status, result?.body, run?.stepRuns[0]?.out?.body], ["completed", "got now", "got now"]);
});

test("the message of a route goes where its trigger listens", () => {
  assert.deepEqual(messageFor("a", "platform-http").post, { method: "POST", path: "/api/a" });
  assert.deepEqual(messageFor("a", "platform-http:/x/y?httpMethodRestrict=PUT").post, { method: "PUT", path: "/x/y" });
  assert.deepEqual(messageFor("a", "direct:price?x=1"), { invoke: { endpoint: "direct:price" } });
});

test("a session is refused with the runtime's reason", async (t) => {
  const open = await doors(t);
  const wrong = { name: "try", mocks: [{ stepId: "crn", respond: "x" }], post: { path: "/api/shop" } };
  await assert.rejects(sendMessage(open, "shop", wrong), /crn/);
});
