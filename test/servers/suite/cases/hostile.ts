/** Servers that mean harm, or are something else: an attempt ends, and the flow's thread and its neighbours do not. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type Case, type SuiteCase, until } from "../case.ts";

/** A name that means 169.254.169.254 in the threads of the suite. */
const linkLocalName = "metadata.link-local.test";

const servers: Readonly<Record<string, (socket: Socket) => void>> = {
  "sends one frame without an end"(socket) {
    const more = (): void => {
      while (socket.write(Buffer.alloc(256 * 1024, 0x41)));
    };
    socket.on("drain", more);
    more();
  },
  "says nothing": () => {},
  "hangs up": (socket) => socket.end(),
};

async function connect({ app, server }: Case, address: string): Promise<void> {
  const body = JSON.stringify(server.elsewhere(address));
  const headers = { "Content-Type": "application/json" };
  const answer = await app.api("/connections/hostile", { method: "PUT", headers, body });
  assert.ok(answer.ok, await answer.text());
}

interface Trial {
  readonly ok: boolean;
  readonly error?: string;
}

async function tried({ api }: Case["app"]): Promise<Trial> {
  return (await (await api("/connections/hostile/test", { method: "POST" })).json()) as Trial;
}

/** Resolves with what the trial and the consumer of a flow report; a neighbour answers meanwhile. */
async function reports(all: Case, id: string): Promise<readonly string[]> {
  const { app, server } = all;
  const source = server.fromElsewhere("hostile").slice(1, -1);
  const neighbour = `- route: { id: ${id}-beside, from: { uri: webhook, steps: [{ setBody: { constant: here } }] } }`;
  const answer = await app.put(
    id,
    `- route: { id: ${id}, from: { ${source}, steps: [{ log: never }] } }\n${neighbour}`,
  );
  assert.ok(answer.ok, await answer.text());
  const trial = tried(app);
  const lines = () => app.logs.filter(({ message }) => message.includes(`'${id}' cannot poll`));
  await until("it is reported", () => lines().length > 0);
  assert.equal(await (await app.post(`/api/${id}-beside`)).text(), "here");
  const { ok, error = "" } = await trial;
  assert.equal(ok, false);
  await app.api(`/flows/${id}`, { method: "DELETE" });
  const killed = app.logs.filter(({ flowId, message }) => flowId === id && message.includes("memory_limit"));
  assert.deepEqual(killed, []);
  return [error, lines()[0]?.message ?? ""];
}

export const hostileCases: readonly SuiteCase[] = [
  {
    // What each protocol makes of it is tested without a server: test/control/connections, test/control/remote-files.
    name: "a server that sends without an end, says nothing or hangs up ends the attempt, and not the flow's thread",
    question: "runtime",
    needs: "server",
    async run(all, t) {
      for (const [index, [what, serve]] of Object.entries(servers).entries()) {
        const sockets = new Set<Socket>();
        const server = createServer((socket) => {
          sockets.add(socket);
          socket.on("error", () => {}).on("close", () => sockets.delete(socket));
          socket.resume();
          serve(socket);
        }).listen(0, "127.0.0.1");
        await once(server, "listening");
        t.after(() => {
          for (const socket of sockets) socket.destroy();
          server.close();
        });
        const { port } = server.address() as { readonly port: number };
        await connect(all, `127.0.0.1:${port}`);
        for (const report of await reports(all, `hostile-${index}`)) assert.notEqual(report, "", what);
      }
      all.note({ note: `a server that ${Object.keys(servers).join(", ")}` });
    },
  },
  {
    name: "169.254.169.254 is not connected to by a name that leads there",
    question: "runtime",
    needs: "server",
    async run(all) {
      await connect(all, `${linkLocalName}:4444`);
      for (const report of await reports(all, "led-there"))
        assert.match(report, /metadata\.link-local\.test:4444 is 169\.254\.169\.254 and that is a link-local address/);
      all.note({ note: "the trial and the consumer are refused" });
    },
  },
  {
    name: "169.254.169.254 is not connected to when a server sends its clients there",
    isAlike: true,
    needs: "redirect",
    async run(all, t) {
      const sends = await all.server.sendsAway?.();
      assert.ok(sends);
      t.after(() => sends.close());
      await connect(all, `127.0.0.1:${sends.port}`);
      const id = "sent-there";
      const source = all.server.fromElsewhere("hostile").slice(1, -1);
      const answer = await all.app.put(id, `- route: { id: ${id}, from: { ${source}, steps: [{ log: never }] } }`);
      assert.ok(answer.ok, await answer.text());
      await until("it is reported", () => all.app.logs.some(({ message }) => message.includes(`'${id}' cannot poll`)));
      await all.app.api(`/flows/${id}`, { method: "DELETE" });
      const [line] = all.app.logs.filter(({ message }) => message.includes(`'${id}' cannot poll`));
      // Either the client does not follow, and the server's own refusal is reported, or the gate refuses.
      assert.match(line?.message ?? "", /as decided|169\.254\.169\.254.* is not named/);
      all.note({ note: "it is refused" });
    },
  },
];
