/** A deploy token that is replaced without a gap, in a process as an operator starts it. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { startProcess } from "../../support/start-process.ts";
import { errorOf } from "../corpus/check-case.ts";
import { requestRaw } from "./raw.ts";

const current = "the-new-token-0123456789-abcdefghijklmnop";
const previous = "the-old-token-0123456789-abcdefghijklmnop";

/** Status of a management call with each of the tokens. */
async function statuses(url: string, tokens: readonly string[]): Promise<readonly number[]> {
  const answers: number[] = [];
  for (const token of tokens) {
    const response = await fetch(`${url}/_api/flows`, { headers: { Authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    answers.push(response.status);
  }
  return answers;
}

/** Answers: with the current token, the previous one, none, and both in one header. */
const environments: readonly (readonly [name: string, env: Record<string, string>, answers: readonly number[]])[] = [
  [
    "a blank previous one is none; white space around the current one is no part of it",
    { SERVICE_DEPLOY_TOKEN: ` ${current}\n`, SERVICE_DEPLOY_TOKEN_PREVIOUS: " \t" },
    [200, 401, 401, 401],
  ],
  [
    "an empty current one is none, and the previous one does not take its place",
    { SERVICE_DEPLOY_TOKEN: "", SERVICE_DEPLOY_TOKEN_PREVIOUS: previous },
    [503, 503, 503, 503],
  ],
  [
    "the same one twice is one",
    { SERVICE_DEPLOY_TOKEN: current, SERVICE_DEPLOY_TOKEN_PREVIOUS: current },
    [200, 401, 401, 401],
  ],
];

for (const [name, env, answers] of environments) {
  test(`rotation: ${name}`, async (t) => {
    const { url } = await startProcess(t, env);
    assert.deepEqual(await statuses(url, [current, previous, "", `${current}, Bearer ${previous}`]), answers);
  });
}

/** Tells its environment when it is asked by a signal, as anything that is loaded into the process could. */
const tellEnvironment = `process.on("SIGUSR2", () => {
  process.stdout.write(JSON.stringify({ message: "environment " + Object.keys(process.env).join() + Object.values(process.env).join() }) + "\\n");
});`;

test("both are accepted, and neither is printed, told to flows, or left in the environment", async (t: TestContext) => {
  const { child, url, lines, exited } = await startProcess(t, {
    SERVICE_DEPLOY_TOKEN: current,
    SERVICE_DEPLOY_TOKEN_PREVIOUS: previous,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tellEnvironment)}`,
  });
  let problems = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    problems += chunk.toString();
  });
  const put = await fetch(`${url}/_api/flows/f`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${previous}`, "Content-Type": "application/yaml" },
    body: webhook("seen", 'log: "with ${headers}"', "setBody: { simple: '${headers}' }"),
  });
  assert.equal(put.status, 201);

  assert.deepEqual(
    await statuses(url, [current, previous, "", `${current}, Bearer ${previous}`]),
    [200, 200, 401, 401],
  );

  const port = Number(new URL(url).port);
  for (const token of [current, previous]) {
    for (const sent of [`Bearer ${token}`, `bearer  ${token}`, token, `Token ${token}`]) {
      const answer = await requestRaw(port, "POST /api/seen HTTP/1.1", [`Authorization: ${sent}`, "Content-Length: 0"]);
      assert.equal(answer.status, 200);
      assert.doesNotMatch(answer.body, /authorization/i, sent);
    }
    const wrong = await requestRaw(port, "GET /_api/flows HTTP/1.1", [`Authorization: Bearer ${token}x`]);
    assert.equal(errorOf(wrong, { secrets: [token] }), "unauthorized");
  }
  child.kill("SIGUSR2");
  const told = await eventually(() => lines.find((line) => line.includes("environment ")), "the environment is told");
  assert.match(told, /ROUTES_DIR/);
  assert.doesNotMatch(told, /SERVICE_DEPLOY_TOKEN/);

  child.kill("SIGTERM");
  assert.equal(await exited, 0);
  for (const token of [current, previous]) {
    assert.ok(!lines.some((line) => line.includes(token)));
    assert.ok(!problems.includes(token));
  }
});
