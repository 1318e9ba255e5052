/** What a field of an endpoint offers: routes that the step can call by name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { callableRoutes } from "../../../designer/web/src/editor/form/callable-routes.ts";
import { openText } from "./support/open-text.ts";

test("routes of the flow are offered, and those of its group that other flows can call", () => {
  const text =
    "- route: { id: a, from: { uri: 'direct:a?timeout=5', steps: [] } }\n- route: { id: b, from: { uri: 'seda:b', steps: [] } }\n";
  const flows = [
    { id: "team.own", routes: [{ uri: "direct:old" }] },
    { id: "team.other", routes: [{ uri: "direct:a" }, { uri: "direct:c?x=1" }, { uri: "seda:d" }, { uri: "webhook" }] },
    { id: "others.far", routes: [{ uri: "direct:far" }, { uri: "direct:e?shared=true" }] },
    { id: "plain", routes: [{ uri: "direct:plain" }] },
  ];
  assert.deepEqual(callableRoutes("team.own", openText(text).get().tree, flows), [
    "direct:a",
    "seda:b",
    "direct:c",
    "direct:e",
  ]);
});
