/** Which routes the flows of the workspace offer to others, and which they call. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { FlowCalls } from "../../../designer/shared/wire.ts";
import { startTestDesigner } from "./support/start-designer.ts";

const caller = `- route:
    id: in
    from:
      uri: webhook
      steps: [{ to: "direct:own" }, { to: "direct:far" }, { wireTap: { uri: "direct:far" } }, { to: "seda:queue" }]
- route: { id: own, from: { uri: "direct:own", steps: [] } }
`;
const far = "- route: { from: { uri: direct, parameters: { name: far, shared: true }, steps: [] } }\n";

test("the routes that flows offer by name are listed with the names that they call, as the files have them now", async (t) => {
  const { json, workspace } = await startTestDesigner(t, {
    files: { "caller.yaml": caller, "far.yaml": far, "broken.yaml": "- route: {[" },
  });
  const list = () => json<FlowCalls[]>("GET", "/designer/calls");
  assert.deepEqual(await list(), [
    { id: "broken", routes: [], calls: [] },
    { id: "caller", routes: [{ name: "own", route: "own", shared: false }], calls: ["far"] },
    { id: "far", routes: [{ name: "far", route: null, shared: true }], calls: [] },
  ]);
  await writeFile(join(workspace, "caller.yaml"), caller.replaceAll("direct:far", "direct:near"));
  await rm(join(workspace, "far.yaml"));
  assert.deepEqual(
    (await list()).map(({ id, calls }) => [id, calls]),
    [
      ["broken", []],
      ["caller", ["near"]],
    ],
  );
});
