/** Connections to real databases: their trial, and as what a wrong password, host, certificate or database is reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { cert } from "../../support/localhost-cert.ts";
import { databases } from "../databases.ts";
import { connectionTo, putConnection } from "./connection-document.ts";
import { appFor, lastFailure } from "./sql-flow.ts";

interface Trial {
  readonly ok: boolean;
  readonly serverVersion?: string;
  readonly tls?: string | null;
  readonly error?: string;
}

for (const database of databases) {
  test(database.name, async (t) => {
    const server = await database.start({ tls: true });
    t.after(() => server.close());
    const { app, flow } = await appFor(t, server, {
      secrets: { "_connections/WRONG": "not-the-password" },
      limits: { outboundConnectMs: 3000 },
    });
    const trial = async (more: Readonly<Record<string, unknown>>): Promise<Trial> => {
      await putConnection(app, "tried", connectionTo(server, { flows: ["*"], ...more }));
      return (await (await app.api("/connections/tried/test", { method: "POST" })).json()) as Trial;
    };

    await t.test("a trial reports the server's version, and how the connection is encrypted", async () => {
      const plain = await trial({});
      assert.equal(plain.error, undefined);
      assert.match(plain.serverVersion ?? "", /^(1\d|9)\./);
      assert.equal(plain.tls, null);
      const encrypted = await trial({ tls: { ca: cert, serverName: "localhost" } });
      assert.equal(encrypted.error, undefined);
      assert.match(encrypted.tls ?? "", /^TLSv1\.[23]$/);
      const call = await flow("secure", `{ to: "sql:select 7 as n?dataSource=#tried" }`);
      assert.equal((await call()).text, '[{"n":7}]');
    });

    await t.test("what is wrong has a name, in the trial and in the run", async () => {
      for (const [what, more, expected] of [
        ["password", { passwordRef: "WRONG" }, /password authentication failed|Access denied for user/],
        ["database", { database: "nowhere" }, /database "nowhere" does not exist|Access denied|Unknown database/],
        ["port", { servers: [`127.0.0.1:${closedPort}`] }, new RegExp(`127\\.0\\.0\\.1:${closedPort}: .*ECONNREFUSED`)],
        ["host", { servers: ["host.invalid:5432"] }, /host\.invalid/],
        ["authority", { tls: {} }, /self-signed certificate|unable to verify/],
        ["name", { tls: { ca: cert, serverName: "other.example.org" } }, /other\.example\.org/],
      ] as const) {
        const { ok, error = "" } = await trial(more);
        assert.equal(ok, false, what);
        assert.match(error, expected, what);
        const call = await flow(`wrong-${what}`, `{ to: "sql:select 1?dataSource=#tried" }`);
        assert.equal((await call()).status, 500);
        assert.match(await lastFailure(app, `wrong-${what}`), expected, what);
      }
    });

    await t.test("a connection that the server has ended is replaced", async () => {
      const call = await flow("again", `{ to: "sql:select 7 as n" }`);
      assert.equal((await call()).text, '[{"n":7}]');
      await server.process.stop();
      assert.equal((await call()).status, 500);
      await server.process.start();
      const back = async (): Promise<boolean> => (await call()).text === '[{"n":7}]';
      await eventually(back, "the connection is replaced");
    });
  });
}
