/** A machine with too few descriptors: it is told so at boot, in numbers, and what does not fit is refused while the rest goes on. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Room, roomReport } from "../../src/control/threads/thread-room.ts";
import { answering } from "../support/flows.ts";
import { token } from "../support/start-app.ts";
import { startProcess } from "../support/start-process.ts";

const room: Room = {
  descriptors: 20_000,
  open: 30,
  pids: undefined,
  flows: 40,
  threads: 40,
  busyThreads: 256,
  standbyThreads: 2,
};

test("the report counts what there is room for, and what to set when that is too little", () => {
  const told = (change: Partial<Room>) => roomReport({ ...room, ...change });
  assert.deepEqual(told({}), {
    level: "INFO",
    message:
      "20000 descriptors (ulimit -n): about 3942 threads of flows can be live at once (5 each), beside 200 connections",
  });
  const low = told({ descriptors: 1024 });
  assert.equal(low.level, "WARN");
  assert.match(
    low.message,
    /about 146 threads .* busyThreads allows 256: set a limit of 1570 descriptors, for 1000 flows 5290/,
  );
  assert.match(told({ descriptors: 4096, flows: 900, threads: 950 }).message, /the 900 flows that are loaded have 950/);
  assert.match(told({ pids: 100 }).message, /allows 100 threads .* set a pids.max of 278/);
  assert.equal(told({ pids: 278 }).level, "INFO");
});

/** Threads get what is left of 90 descriptors until a tenth, and some are taken before the first flow comes. */
async function deployUntilRefused(t: TestContext, env: Readonly<Record<string, string>>, why: RegExp) {
  const { url, lines } = await startProcess(
    t,
    { SERVICE_DEPLOY_TOKEN: token, LIMIT_STANDBY_THREADS: "1", ...env },
    { descriptors: 90 },
  );
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" };
  const put = (id: string): Promise<Response> =>
    fetch(`${url}/_api/flows/${id}`, { method: "PUT", headers, body: answering(`r-${id}`, id) });
  let refused: Response | undefined;
  let deployed = 0;
  for (; deployed < 30 && refused === undefined; deployed += 1) {
    const answer = await put(`group.f${deployed}`);
    if (answer.status !== 201) refused = answer;
    else await answer.arrayBuffer();
  }
  assert.ok(deployed > 2, `${deployed} flows`);
  assert.equal(refused?.status, 503);
  assert.equal(refused.headers.get("X-Error-Code"), "no_thread");
  assert.equal(refused.headers.get("Retry-After"), "30");
  const { error } = (await refused.json()) as { error: string };
  assert.match(error, why);
  assert.equal(await (await fetch(`${url}/api/r-group.f0`, { method: "POST" })).text(), "group.f0");
  assert.equal((await fetch(`${url}/_api/health`)).status, 200);
  assert.equal((await fetch(`${url}/_api/flows/group.f1`, { method: "DELETE", headers })).status, 200);
  return lines.map((line) => JSON.parse(line) as { level: string; message: string });
}

test("a process with few descriptors warns at boot, refuses the flow that does not fit, and goes on", async (t) => {
  const warned = await deployUntilRefused(t, {}, /\d+ of 90 descriptors are in use .* raise the limit/);
  const told = warned.find(({ message }) => message.startsWith("90 descriptors"));
  assert.match(
    String(told?.message),
    /threads of flows can be live at once .* set a limit of \d+ descriptors, for 1000 flows/,
  );
});

test("a host process with few descriptors refuses the flow that does not fit, and goes on", async (t) => {
  // It may not read how many there are: the system says when there are no more.
  await deployUntilRefused(t, { ISOLATION: "process" }, /no thread can be had .* gives no more \(EMFILE\)/);
});
