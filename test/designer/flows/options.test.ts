/** The options that a deployment sends, of what the companion file has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { optionsOf, optionsText, optionsToSend } from "../../../designer/web/src/deploy/options.ts";

const settings = { isolation: "process", threads: 2, record: "all", logHandled: false };

test("a setting that stands among the limits is sent as the option of its name, and not as null beside it", () => {
  for (const [name, value] of Object.entries(settings)) {
    const sent = optionsToSend({ limits: { [name]: value, runCpuMs: 5 } });
    assert.deepEqual([sent[name], sent["limits"]], [value, { runCpuMs: 5 }], name);
  }
  const all = optionsToSend({ limits: settings });
  assert.deepEqual({ ...all, limits: null }, { ...optionsToSend(settings), limits: null });
});

test("an option that is not set is sent as null, and a policy only when the companion has one or says null", () => {
  const sent = optionsToSend({ record: "off", params: {} });
  assert.deepEqual([sent["record"], sent["params"], sent["threads"]], ["off", null, null]);
  assert.equal("policy" in sent, false);
  assert.equal(optionsToSend({ policy: null })["policy"], null);
});

test("the same settings compare equal wherever they stand", () => {
  assert.equal(optionsText({ limits: settings }), optionsText(settings));
  assert.deepEqual(optionsOf({ limits: { record: "all" }, record: "all" }), { record: "all" });
});
