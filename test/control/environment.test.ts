/** `{{env:NAME}}` in a whole runtime: which variables a flow may read, and where their values are. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const environment = {
  allow: "COMMON; team-a=REGION,STAGE,EMPTY,LOG_LEVEL",
  set: { LOG_LEVEL: "debug", COMMON: "for all", REGION: "eu-${body}-1", OTHER: "not allowed" },
};

const reading = (route: string, placeholder: string): string =>
  webhook(route, `setBody: { simple: 'is {{${placeholder}}} for \${body}' }`);

test("variables of the environment", async (t) => {
  const app = await startTestApp(t, { environment });

  await t.test("come out literally in flows that may read them, with a default where they are not set", async () => {
    for (const [flowId, placeholder, value] of [
      ["team-a.region", "env:REGION", "eu-${body}-1"],
      ["team-a.stage", "env:STAGE:a:b/c", "a:b/c"],
      ["team-a.common", "env:COMMON", "for all"],
      ["lonely", "env:COMMON:unused", "for all"],
      ["team-a.lower", "env:region", "eu-${body}-1"],
      ["team-a.dotted", "env:log.level:INFO", "debug"],
      ["team-a.dashed", "env:log-level", "debug"],
      ["team-a.joined", "env:logLevel", "debug"],
    ] as const) {
      const put = await app.put(flowId, reading(flowId, placeholder));
      assert.equal(put.status, 201, await put.text());
      assert.equal(await (await app.post(`/api/${flowId}`, "me")).text(), `is ${value} for me`);
    }
  });

  for (const [why, flowId, placeholder, message] of [
    ["another group's", "team-b.f", "env:REGION", /ENV_ALLOW=team-b=REGION/],
    ["one that ENV_ALLOW does not name", "g", "env:OTHER:x", /\{\{env:OTHER\}\} is not allowed.*ENV_ALLOW=OTHER/],
    ["one without a value", "team-a.none", "env:STAGE", /has no value.*\{\{env:STAGE:default\}\}/],
    ["another group's, in Camel's spelling", "team-b.f", "env:log-level:INFO", /ENV_ALLOW=team-b=LOG_LEVEL/],
    ["a name with a blank", "h", "env:A B", /A-Z a-z 0-9 _/],
    ["an optional one", "i", "?env:COMMON", /neither '\?' nor '!'/],
  ] as const) {
    await t.test(`${why} is refused when the flow is deployed`, async () => {
      const put = await app.put(flowId, reading("refused", placeholder));
      assert.equal(put.status, 422);
      assert.match(await put.text(), message);
    });
  }

  await t.test("what consumes cannot hold one, since the runtime itself knows no values", async () => {
    const put = await app.put("timer", "- from: { uri: 'file:{{env:COMMON}}', steps: [{ log: x }] }\n");
    assert.equal(put.status, 422);
    assert.match(await put.text(), /cannot hold \{\{secret:\.\.\.\}\} or \{\{env:\.\.\.\}\}/);
  });

  await t.test("no value is on the disk", async () => {
    const names = await readdir(app.directory, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      names.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")),
    );
    assert.ok(texts.some((text) => text.includes("{{env:REGION}}")));
    assert.ok(texts.every((text) => !text.includes("eu-${body}-1")));
  });
});
