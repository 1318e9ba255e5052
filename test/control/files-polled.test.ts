/** Files that steps take with `poll` and `pollEnrich`, in real threads: which, and what becomes of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { manyFlows, webhooks } from "../support/flow-files.ts";

const fail = "throwException: { exceptionType: java.io.IOException, message: broken }";
const shown = 'setBody: { simple: "${header.CamelFileName}=${body}" }';

test("files that steps poll", async (t) => {
  const flow = await manyFlows(t);

  await t.test(
    "a polled file is put away when the run has ended: moved, deleted, or left, before the answer",
    async (own) => {
      const files = flow(own);
      for (const name of ["usual", "moved", "deleted", "kept", "named"]) await files.write(`${name}/a.txt`, name);
      await files.deploy(
        webhooks({
          usual: ["poll: { uri: file:usual, timeout: 0 }", shown],
          moved: ['poll: { uri: file:moved, parameters: { move: "done/${file:name}.old" }, timeout: 0 }', shown],
          deleted: ['pollEnrich: { constant: "file:deleted?delete=true", timeout: 0 }', shown],
          kept: ["poll: { uri: file:kept?noop=true, timeout: 0 }", shown],
          named: ['pollEnrich: { simple: "file:named?fileName=${body}", timeout: 0 }', shown],
        }),
      );
      for (const name of ["usual", "moved", "deleted", "kept"]) assert.equal(await files.call(name), `a.txt=${name}`);
      assert.equal(await files.call("named", "b.txt"), "=");
      assert.equal(await files.call("named", "a.txt"), "a.txt=named");
      assert.deepEqual(await files.list(), [
        "kept/a.txt",
        "moved/done/a.txt.old",
        "named/.camel/a.txt",
        "usual/.camel/a.txt",
      ]);
      assert.equal(await files.call("kept"), "=");
    },
  );

  await t.test(
    "a run that fails leaves the file, or moves it to moveFailed; a handled failure is none",
    async (own) => {
      const files = flow(own);
      for (const name of ["left", "failed", "caught", "branch"]) await files.write(`${name}/a.txt`, name);
      const caught = `doTry: { steps: [{ poll: { uri: "file:caught?moveFailed=bad", timeout: 0 } }, { ${fail} }], doCatch: [{ exception: [java.io.IOException], steps: [{ ${shown} }] }] }`;
      const branches = `split: { tokenize: ",", steps: [{ poll: { uri: "file:branch?moveFailed=bad", timeout: 0 } }, { ${fail} }] }`;
      await files.deploy(
        webhooks({
          left: ["poll: { uri: file:left, timeout: 0 }", fail],
          failed: [
            'pollEnrich: { constant: "file:failed?moveFailed=bad/${exception.message}-${file:name}", timeout: 0 }',
            fail,
          ],
          caught: [caught],
          branch: [branches],
        }),
      );
      for (const name of ["left", "failed"]) assert.equal(await files.call(name), "java.io.IOException: broken");
      assert.equal(await files.call("caught"), "a.txt=caught");
      assert.equal(await files.call("branch", "1"), "java.io.IOException: broken");
      assert.deepEqual(await files.list(), [
        "branch/bad/a.txt",
        "caught/.camel/a.txt",
        "failed/bad/broken-a.txt",
        "left/a.txt",
      ]);
      assert.equal(await files.call("left"), "java.io.IOException: broken");
    },
  );

  await t.test("a poll waits for a file within its time-out, and two runs never take the same one", async (own) => {
    const files = flow(own);
    await files.deploy(
      webhooks({
        wait: ['poll: { uri: "file:in?delay=20", timeout: 30s }', shown],
        slow: ["poll: { uri: file:two, timeout: 0 }", 'delay: { constant: "200" }', shown],
      }),
    );
    const waiting = files.call("wait");
    await eventually(async () => (await files.runs("routeId=wait&status=running")).length === 1, "the run waits");
    await files.write("in/late.txt", "late");
    assert.equal(await waiting, "late.txt=late");
    for (const name of ["a", "b"]) await files.write(`two/${name}.txt`, name);
    const both = await Promise.all(["slow", "slow", "slow"].map((route) => files.call(route)));
    assert.deepEqual(both.sort(), ["=", "a.txt=a", "b.txt=b"]);
  });

  await t.test("a file that is too large fails the step, and is moved away or left alone", async (own) => {
    const files = flow(own);
    await files.write("big/a.txt", "x".repeat(3000));
    await files.write("left/a.txt", "x".repeat(3000));
    const usual = "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy";
    const yaml = webhooks({
      big: ['poll: { uri: "file:big?moveFailed=bad", timeout: 0 }', shown],
      left: ["poll: { uri: file:left, timeout: 0 }", shown],
      told: [
        `pollEnrich: { constant: "file:told", timeout: 0, aggregateOnException: true, aggregationStrategy: "${usual}" }`,
        'setBody: { simple: "${exchangeProperty.CamelGroupedExchange.size} of ${body}" }',
      ],
    });
    await files.deploy(yaml, { messageBodyBytes: 2000, webhookBodyBytes: 2000, signedBodyBytes: 2000 });
    assert.match(await files.call("big"), /messageBodyBytes/);
    assert.match(await files.call("left"), /messageBodyBytes/);
    assert.equal(await files.call("left"), "=");
    assert.deepEqual(await files.list(), ["big/bad/a.txt", "left/a.txt"]);
  });

  await t.test("a missing directory is made, or fails the poll where it has to be there", async (own) => {
    const files = flow(own);
    await files.deploy(
      webhooks({
        made: ["poll: { uri: file:made, timeout: 0 }", shown],
        missing: ['poll: { uri: "file:none?autoCreate=false&directoryMustExist=true", timeout: 0 }', shown],
        idle: ['poll: { uri: "file:idle?sendEmptyMessageWhenIdle=true", timeout: 30s }', shown],
      }),
    );
    assert.equal(await files.call("made"), "=");
    assert.match(
      await files.call("missing"),
      /^org.apache.camel.CamelExchangeException: Error during poll.*Directory does not exist: none/,
    );
    assert.equal(await files.call("idle"), "=");
  });
});
