import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../src/shared/errors.ts";
import { assertError } from "./answers.ts";
import { fixture, openApi, run, runDetail } from "./services.ts";

const none = { routeId: undefined, flowId: undefined, status: undefined, since: undefined, before: undefined };

describe("GET /_api/runs", () => {
  const good: [query: string, filter: object][] = [
    ["", { limit: 50 }],
    ["?routeId=order-in&limit=7", { routeId: "order-in", limit: 7 }],
    ["?limit=1000000000", { limit: 500 }],
    ["?limit=007", { limit: 7 }],
    ["?flowId=orders&status=failed", { flowId: "orders", status: "failed", limit: 50 }],
    [
      "?since=2026-01-01T00:00:00Z&before=2026-01-01T02:00:00.5%2B01:00",
      { since: Date.UTC(2026, 0, 1), before: Date.UTC(2026, 0, 1, 1, 0, 0, 500), limit: 50 },
    ],
    ["?routeId=%C3%A9", { routeId: "é", limit: 50 }],
  ];
  for (const [query, filter] of good) {
    it(`asks for ${JSON.stringify(filter)} with '${query}'`, async (t) => {
      const { send, calls } = await openApi(t);
      const response = await send("GET", `/_api/runs${query}`);
      assert.deepEqual(await response.json(), [run]);
      assert.deepEqual({ ...none, ...(calls[0]?.[1] as object) }, { ...none, ...filter });
    });
  }

  const bad = [
    "limit=0",
    "limit=-1",
    "limit=1.5",
    "limit=abc",
    "limit=",
    "limit=1e3",
    "limit=+5",
    "limit=5&limit=5",
    "limit=99999999999999999999",
    "routeId=a&routeId=b",
    "status=ok",
    "status=failed&status=killed",
    "since=yesterday",
    "since=1700000000000",
    "before=2026-01-01",
    "before=2026-13-01T00:00:00Z",
    "offset=5",
  ];
  for (const query of bad) {
    it(`400: ${query}`, async (t) => {
      const { send, calls } = await openApi(t);
      const message = await assertError(await send("GET", `/_api/runs?${query}`), 400, "bad_query");
      assert.match(message, new RegExp(`'${query.slice(0, query.indexOf("="))}'`));
      assert.deepEqual(calls, []);
    });
  }
});

describe("one run", () => {
  it("is returned with its steps", async (t) => {
    const { send } = await openApi(t);
    assert.deepEqual(await (await send("GET", `/_api/runs/${run.id}`)).json(), runDetail);
  });

  it("is returned as the body of a test session", async (t) => {
    const { send } = await openApi(t);
    assert.deepEqual(await (await send("GET", `/_api/runs/${run.id}/fixture`)).json(), fixture);
  });

  it("is asked to stop, which answers 202", async (t) => {
    const { send, calls } = await openApi(t);
    const response = await send("POST", `/_api/runs/${run.id}/cancel`);
    assert.equal(response.status, 202);
    assert.deepEqual(await response.json(), runDetail);
    assert.deepEqual(calls, [["runs.cancel", run.id]]);
  });

  it("404 and 409 come from the service; 400 for an invalid id", async (t) => {
    const { send } = await openApi(t, {
      services: {
        runs: {
          list: () => [],
          get: () => {
            throw new AppError("not_found", "there is no such run");
          },
          fixture: () => {
            throw new AppError("run_not_recorded", "nothing was recorded");
          },
          cancel: () => {
            throw new AppError("run_finished", "the run has ended");
          },
        },
      },
    });
    await assertError(await send("GET", "/_api/runs/x"), 404, "not_found");
    await assertError(await send("GET", "/_api/runs/x/fixture"), 409, "run_not_recorded");
    await assertError(await send("POST", "/_api/runs/x/cancel"), 409, "run_finished");
    await assertError(await send("GET", "/_api/runs/-x"), 400, "bad_id");
  });
});
