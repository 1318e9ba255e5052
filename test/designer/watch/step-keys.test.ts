/** Steps without an id are marked on the canvas under the ids that the runtime gives them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { indexTree } from "../../../designer/web/src/editor/session/items.ts";
import { parse, tree } from "../../../designer/web/src/model/index.ts";
import { stepKeys } from "../../../designer/web/src/runs/step-keys.ts";
import { startTestApp } from "../../support/start-app.ts";

/** Each log's message is the number of its line. */
const yaml = `- onException:
    exception: [java.lang.Exception]
    handled: { constant: "true" }
    steps: [{ log: { message: "4" } }]
- route:
    id: first
    from:
      uri: webhook
      steps:
        - log: { message: "10" }
        - choice:
            when:
              - simple: "\${body} == 'x'"
                steps:
                  - log: { id: log2, message: "15" }
                  - log: { message: "16" }
            otherwise:
              steps: [{ log: { message: "18" } }]
        - doTry:
            steps:
              - log: { message: "21" }
              - throwException: { exceptionType: java.io.IOException, message: oops }
            doCatch:
              - exception: [java.io.IOException]
                steps: [{ log: { message: "25" } }]
            doFinally: { steps: [{ log: { message: "26" } }] }
        - multicast: { steps: [{ to: "direct:second" }, { log: { message: "27" } }] }
        - throwException: { exceptionType: java.lang.IllegalStateException, message: oops }
- route:
    from:
      uri: direct:second
      steps:
        - log: { message: "33" }
`;

test("steps without an id have the ids that the runtime generates, wherever they stand", async (t) => {
  const runtime = await startTestApp(t);
  const answer = await runtime.put("keys", yaml);
  assert.equal(answer.status, 201, await answer.text());
  for (const body of ["x", "y"]) await runtime.post("/api/first", body, { "content-type": "text/plain" });
  const flow = parse(yaml);
  const keys = stepKeys({ flow, index: indexTree(tree(flow)) });
  const shown = new Map(keys.map(({ stepId, mark }) => [stepId, mark]));
  const logged = runtime.logs.filter(({ message }) => /^\d+$/.test(message));
  assert.deepEqual(
    new Set(logged.map(({ message }) => message)),
    new Set(["4", "10", "15", "16", "18", "21", "25", "26", "27", "33"]),
  );
  for (const { message, stepId } of logged) {
    const mark = stepId === "log2" ? "log2" : `line:${message}`;
    assert.equal(shown.get(stepId ?? ""), mark, `the log of line ${message}`);
  }
});
