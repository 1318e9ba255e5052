/** A database that cannot be reached is named to whoever needs it: a trial, a statement, a poll. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { startTestApp } from "../../support/start-app.ts";

const steps = {
  sql: `{ to: "sql:select :#body?dataSource=#shop" }`,
  jdbc: `{ to: "jdbc:shop" }`,
  stored: `{ to: "sql-stored:ADD_UP(INTEGER :#\${body})?dataSource=#shop" }`,
};

for (const kind of ["postgres", "mysql"])
  test(`${kind}: a server that is not there is the cause of trials, failed runs and polls`, async (t) => {
    const app = await startTestApp(t);
    const document = { kind, servers: [`127.0.0.1:${closedPort}`], database: "shop", username: "shop", flows: ["*"] };
    const headers = { "Content-Type": "application/json" };
    const put = await app.api("/connections/shop", { method: "PUT", headers, body: JSON.stringify(document) });
    assert.equal(put.status, 201, await put.text());
    const trial = (await (await app.api("/connections/shop/test", { method: "POST" })).json()) as { error?: string };
    assert.match(trial.error ?? "", /ECONNREFUSED/);
    for (const [id, step] of Object.entries(steps)) {
      const deployed = await app.put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${step}] } }\n`);
      assert.equal(deployed.status, 201, await deployed.text());
      assert.equal((await app.post(`/api/${id}`, "1")).status, 500);
      const [run] = (await (await app.api(`/runs?routeId=${id}`)).json()) as { error?: { message: string } }[];
      assert.match(run?.error?.message ?? "", /ECONNREFUSED|is not tried again before/);
    }
    const poll = `- route:
    id: poll
    from:
      uri: "sql:select id from jobs?dataSource=#shop&delay=10&initialDelay=0&deliveryKey=id&onConsume=delete from jobs where id = :#id"
      steps: [{ log: x }]
`;
    const deployed = await app.put("poll", poll);
    assert.equal(deployed.status, 201, await deployed.text());
    await eventually(
      () => app.logs.some(({ message, flowId }) => flowId === "poll" && /127\.0\.0\.1/.test(message)),
      "the log names the server",
    );
  });

for (const kind of ["postgres", "mysql"])
  test(`${kind}: a server that sends without an end before the login ends the attempt, and not the thread`, async (t) => {
    const app = await startTestApp(t);
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => {}));
      const more = (): void => {
        while (socket.write(Buffer.alloc(64 * 1024, 0x41)));
      };
      socket.on("drain", more).resume();
      more();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const document = { kind, servers: [`127.0.0.1:${port}`], database: "shop", username: "shop", flows: ["*"] };
    const headers = { "Content-Type": "application/json" };
    await app.api("/connections/shop", { method: "PUT", headers, body: JSON.stringify(document) });
    const trial = (await (await app.api("/connections/shop/test", { method: "POST" })).json()) as { error?: string };
    assert.match(trial.error ?? "", /has sent more than 1048576 bytes before the login was over/);
  });

test("postgres: a server that asks for the password in clear gets it only where the document says so", async (t) => {
  const app = await startTestApp(t, { secrets: { "_connections/SHOP": "a-password-in-clear" } });
  let heard = "";
  const server = createServer((socket) => {
    socket
      .on("error", () => {})
      .on("data", (data) => {
        heard += data.toString("latin1");
      });
    // AuthenticationCleartextPassword: "R", its length, 3.
    socket.once("data", () => socket.write(Buffer.from("520000000800000003", "hex")));
    socket.on("data", (data) => {
      if (data.includes("a-password-in-clear")) socket.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const tried = async (options: object): Promise<string> => {
    const servers = [`127.0.0.1:${port}`];
    const login = { database: "shop", username: "shop", passwordRef: "SHOP", flows: ["*"], options };
    const document = JSON.stringify({ kind: "postgres", servers, ...login });
    const headers = { "Content-Type": "application/json" };
    const put = await app.api("/connections/shop", { method: "PUT", headers, body: document });
    assert.ok(put.ok, await put.text());
    const trial = (await (await app.api("/connections/shop/test", { method: "POST" })).json()) as { error?: string };
    return trial.error ?? "";
  };
  assert.match(await tried({}), /asks for the password in clear.*"tls": \{\}.*set the option clearPassword/);
  assert.ok(!heard.includes("a-password-in-clear"));
  await tried({ clearPassword: true });
  assert.ok(heard.includes("a-password-in-clear"));
});
