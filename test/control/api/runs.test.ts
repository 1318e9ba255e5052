/** `/_api/runs`: which runs a query finds, and what is refused of a run that has ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { assertError, send } from "./calls.ts";

interface Run {
  readonly id: string;
  readonly routeId: string;
  readonly startedAt: string;
}

/** Runs of two routes, since a route keeps 500. */
const many = 501;

test("the runs", async (t) => {
  const app = await startTestApp(t);
  await app.put("one", answering("even", "x") + answering("odd", "x") + answering("single", "x"));
  await app.put(
    "two",
    answering("other", "x") + webhook("fails", "throwException: { exceptionType: a.B, message: no }"),
  );
  let left = many;
  const caller = async (): Promise<void> => {
    while (left-- > 0) assert.equal((await app.post(left % 2 === 0 ? "/api/even" : "/api/odd")).status, 200);
  };
  await Promise.all(Array.from({ length: 10 }, caller));
  for (const route of ["single", "other", "fails"]) await app.post(`/api/${route}`);
  const list = async (query: string): Promise<readonly Run[]> =>
    (await (await send(app, "GET", `/runs${query}`)).json()) as readonly Run[];
  const routes = async (query: string): Promise<readonly string[]> => (await list(query)).map(({ routeId }) => routeId);

  await t.test("are 50 by default and 500 at most", async () => {
    for (const [query, count] of [
      ["", 50],
      ["?routeId=even&limit=7", 7],
      ["?routeId=even&limit=007", 7],
      ["?routeId=odd&limit=400", 250],
      ["?limit=1000000000", 500],
    ] as const)
      assert.equal((await list(query)).length, count, query);
  });

  await t.test("are found by route, flow, status and time", async () => {
    assert.deepEqual(await routes("?routeId=single"), ["single"]);
    assert.deepEqual(await routes("?flowId=two"), ["fails", "other"]);
    assert.deepEqual(await routes("?flowId=two&status=failed"), ["fails"]);
    assert.deepEqual(await routes("?flowId=one&status=failed"), []);
    assert.deepEqual(await routes("?routeId=%C3%A9"), []);
    const at = Date.parse((await list("?routeId=single"))[0]?.startedAt ?? "");
    const utc = new Date(at).toISOString();
    // Two hours later on a clock that is two hours ahead is the same moment.
    const elsewhere = encodeURIComponent(new Date(at + 7_200_000).toISOString().replace("Z", "+02:00"));
    for (const moment of [utc, elsewhere]) {
      assert.deepEqual(await routes(`?routeId=single&since=${moment}`), ["single"], moment);
      assert.deepEqual(await routes(`?routeId=single&before=${moment}`), [], moment);
    }
    const next = new Date(at + 1).toISOString();
    assert.deepEqual(await routes(`?routeId=single&since=${next}`), []);
    assert.deepEqual(await routes(`?routeId=single&before=${next}`), ["single"]);
  });

  await t.test(
    "that have ended cannot be cancelled, and those that were not recorded make no test session",
    async () => {
      const [run] = await list("?routeId=single");
      await assertError(await send(app, "POST", `/runs/${run?.id}/cancel`), 409, "run_finished");
      await assertError(await send(app, "GET", `/runs/${run?.id}/fixture`), 409, "run_not_recorded");
      await assertError(await send(app, "GET", "/runs/nobody/fixture"), 404, "not_found");
    },
  );
});
