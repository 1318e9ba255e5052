/** An option that a limit of the flow bounds is refused when the flow is checked, also where a message completes the address. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsOf } from "./real-catalog.ts";

const inRoute = (step: string): string =>
  `- route:\n    id: main\n    from:\n      uri: direct:start\n      steps:\n        - ${step}\n`;

test("a fixed option beyond its limit is refused in toD, enrich, pollEnrich, recipientList and wireTap, as in to", async () => {
  const message =
    "bad_endpoint responseTimeout is 20000: it is 1 to 10000, and the flow's limit outboundHeadersMs may be raised";
  const uri = "http://127.0.0.1:9/${header.path}?responseTimeout=20s&a=${body}";
  for (const step of [
    "to: http://127.0.0.1:9/a?responseTimeout=20s",
    `toD: ${uri}`,
    'toD: { uri: "http://127.0.0.1:9/${body}", parameters: { responseTimeout: 20s } }',
    `wireTap: ${uri}`,
    `enrich: { simple: "${uri}" }`,
    `pollEnrich: { simple: "${uri}", timeout: 0 }`,
    `recipientList: { simple: "direct:start,${uri}" }`,
  ])
    assert.deepEqual(
      (await errorsOf(inRoute(step))).map((line) => line.replace(/^\d+:\d+ /, "")),
      [message],
      step,
    );
});

test("an option that a message gives, and one within its limit, are accepted", async () => {
  for (const step of [
    "toD: http://127.0.0.1:9/${header.path}?responseTimeout=9s",
    "toD: http://127.0.0.1:9/${header.path}?responseTimeout=${header.wait}",
    "toD: direct:${header.to}",
  ])
    assert.deepEqual(await errorsOf(inRoute(step)), [], step);
});
