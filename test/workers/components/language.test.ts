/** language:name:text (Camel: LanguageComponent). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runSteps } from "../../support/run-route.ts";

test("the value of the text becomes the body, unless transform is false", async () => {
  const body = async (uri: string): Promise<unknown> =>
    (await runSteps(`- to: "${uri}"`, { body: "x" })).exchange.message.body;
  assert.equal(await body("language:simple:<${body}>"), "<x>");
  assert.equal(await body("language:constant:a%20b"), "a b");
  assert.equal(await body("language:simple:<${body}>?transform=false"), "x");
});

test("an unknown language, a missing text and a resource are refused", async () => {
  await assert.rejects(runSteps('- to: "language:klingon:x"'), /unknown language 'klingon'/);
  await assert.rejects(runSteps('- to: "language:simple"'), /a language endpoint is 'language:name:text'/);
  await assert.rejects(runSteps('- to: "language:simple:resource:classpath:x"'), /reads no files/);
  await assert.rejects(runSteps('- to: "language:simple:${bodyx}"'), /bodyx/);
});
