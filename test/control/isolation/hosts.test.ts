/** Host processes: which flows share one, what they may, how they end, and that nobody else notices. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { answering, webhook } from "../../support/flows.ts";
import { argumentsOf, environmentOf, hostsOf, isAlive } from "../../support/host-processes.ts";
import { startTestApp, type TestApp, type TestAppOptions, token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";

const inProcess = { limits: { isolation: "process" } };
const patience = 60_000;
const answered = async (response: Response | Promise<Response>) => [
  (await response).status,
  await (await response).text(),
];

test("flows of one group share a process, which has nothing but the runtime's code, and ends with the last of them", async (t) => {
  const { app, hosts } = await started(t);
  for (const id of ["shop.orders", "shop.bills", "other"]) await app.put(id, answering(`r-${id}`, id), inProcess);
  await app.put("local", answering("r-local", "local"));
  for (const id of ["shop.orders", "shop.bills", "other", "local"]) {
    assert.deepEqual(await answered(app.post(`/api/r-${id}`)), [200, id]);
  }
  assert.equal(hosts().length, 2);
  for (const pid of hosts()) {
    const flags = argumentsOf(pid).filter((argument) => argument.startsWith("--"));
    assert.ok(flags.includes("--permission"));
    const wrong = flags.filter((flag) => /^--allow-(net|fs-write|child-process|addons|wasi)/.test(flag));
    if (process.env.BULKHEAD_COVERAGE_DIR === undefined) {
      assert.deepEqual(wrong, []);
      assert.equal(environmentOf(pid), "");
    }
  }
  await app.api("/flows/other", { method: "DELETE" });
  await app.api("/flows/shop.bills", { method: "DELETE" });
  await eventually(() => hosts().length === 1, "the process of the flow that is gone has ended", patience);
  assert.deepEqual(await answered(app.post("/api/r-shop.orders")), [200, "shop.orders"]);
  await app.close();
  assert.deepEqual(hosts(), []);
});

test("a process that dies takes the runs of its group with it; its flows answer again, and no other call fails", async (t) => {
  const { app, hosts } = await started(t);
  const waits = (ms: number): string[] => [`delay: { constant: ${ms} }`, 'setBody: { constant: "done" }'];
  const wait = waits(100);
  // Long enough for the kill to come before its end on a busy machine.
  await app.put("a.slow", webhook("slow", ...waits(1500)), inProcess);
  await app.put("a.idle", answering("idle", "idle"), inProcess);
  const [shared] = hosts() as [number];
  await app.put("b", webhook("other", ...wait), inProcess);
  await app.put("local", webhook("local", ...wait));
  const lost = Array.from({ length: 4 }, () => app.post("/api/slow"));
  const kept = Array.from({ length: 8 }, (_, i) => app.post(i % 2 === 0 ? "/api/other" : "/api/local"));
  await eventually(() => runs(app, "a.slow", "running").then((all) => all.length === 4), "the runs are under way");
  process.kill(shared, "SIGKILL");
  for (const response of await Promise.all(kept)) assert.equal(response.status, 200);
  for (const response of await Promise.all(lost)) assert.ok([200, 500, 503].includes(response.status));
  assert.deepEqual(await answered(app.post("/api/slow")), [200, "done"]);
  assert.deepEqual(await answered(app.post("/api/idle")), [200, "idle"]);
  const killed = await runs(app, "a.slow", "killed");
  assert.ok(killed.length > 0);
  for (const { error } of killed) assert.match(String(error?.message), /SIGKILL/);
  assert.ok(
    app.logs.some(({ level, message }) => level === "ERROR" && /process of 'a' is replaced: .*SIGKILL/.test(message)),
  );
  assert.equal(hosts().includes(shared), false);
});

test("a process that stops answering is killed and replaced", async (t) => {
  const { app, hosts } = await started(t, { limits: { hostSilentMs: 500 } });
  await app.put("f", answering("r", "x"), inProcess);
  const [pid] = hosts() as [number];
  process.kill(pid, "SIGSTOP");
  // Its thread has its run until the process is given up.
  await app.post("/api/r");
  await eventually(async () => (await app.post("/api/r")).status === 200, "another process", patience);
  assert.equal(isAlive(pid), false);
  assert.ok(app.logs.some(({ message }) => message.includes("it did not answer for 500 ms")));
});

test("a process that uses more memory than it may is killed, and says so", async (t) => {
  const { app } = await started(t, { limits: { hostMemoryBytes: 2 ** 20 } });
  const refused = await app.put("f", answering("r", "x"), inProcess);
  // One that is quick enough is deployed before its process is looked at.
  if (refused.status !== 201) assert.match(await refused.text(), /hostMemoryBytes/);
  await eventually(() => app.logs.some(({ message }) => message.includes("(hostMemoryBytes)")), "it is told", patience);
});

test("a flow moves between thread and process by a redeploy that no call notices; anything else is refused", async (t) => {
  const { app, hosts } = await started(t);
  await app.put("f", answering("r", "x"));
  let calling = true;
  const failed: unknown[] = [];
  const caller = (async () => {
    while (calling) {
      const response = await answered(app.post("/api/r"));
      if (response[0] !== 200) failed.push(response);
    }
  })();
  for (const isolation of ["process", "thread", "process"]) {
    assert.equal((await app.put("f", answering("r", "x"), { limits: { isolation } })).status, 200);
    const wanted = isolation === "process" ? 1 : 0;
    await eventually(() => hosts().length === wanted, `its threads are where they are to be: ${isolation}`, patience);
  }
  calling = false;
  await caller;
  assert.deepEqual(failed, []);
  const { isolation, limits } = (await (await app.api("/flows/f")).json()) as { isolation: string; limits: object };
  assert.deepEqual({ isolation, limits }, { isolation: "process", limits: {} });
  const wrong = await app.put("f", answering("r", "x"), { limits: { isolation: "vm" } });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /limits\.isolation must be 'thread' or 'process'/);
});

test("a process ends with the runtime, however that ends; ISOLATION is the default of all flows", async (t) => {
  const { child, url, exited } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token, ISOLATION: "process" });
  const put = await fetch(`${url}/_api/flows/f`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" },
    body: answering("r", "x"),
  });
  assert.equal(put.status, 201);
  const [host] = hostsOf(child.pid) as [number];
  t.after(() => {
    if (isAlive(host)) process.kill(host, "SIGKILL");
  });
  assert.deepEqual(await answered(fetch(`${url}/api/r`, { method: "POST" })), [200, "x"]);
  child.kill("SIGKILL");
  await exited;
  await eventually(() => !isAlive(host), "the host process is gone", patience);
});

async function started(t: TestContext, options: TestAppOptions = {}): Promise<{ app: TestApp; hosts: () => number[] }> {
  const before = new Set(hostsOf());
  const app = await startTestApp(t, { isolation: "thread", ...options });
  return { app, hosts: () => hostsOf().filter((pid) => !before.has(pid)) };
}

interface RunDocument {
  readonly error?: { readonly message: string };
}

async function runs(app: TestApp, flowId: string, status: string): Promise<readonly RunDocument[]> {
  const answer = await app.api(`/runs?flowId=${flowId}&status=${status}&limit=50`);
  return (await answer.json()) as RunDocument[];
}
