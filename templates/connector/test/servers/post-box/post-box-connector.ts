/** Post box in the suite of connectors: a queue that is consumed, and one that is written. */
import { putConnection } from "../../../../../test/servers/sql/connection-document.ts";
import type { Connector, Rig } from "../../../../../test/servers/suite/connector.ts";
import { QueueServer } from "./post-box-server.ts";

export const connector: Connector = {
  name: "Post box",
  exactlyOnce: false,
  isWhole: true,
  answersFor: ["window"],
  async start() {
    const server = new QueueServer();
    await server.start();
    return rigOf(server);
  },
};

function rigOf(server: QueueServer): Rig {
  const to = (address: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
    kind: "post-box",
    servers: [address],
    username: server.username,
    passwordRef: "SHOP",
    flows: ["*"],
    ...more,
  });
  const from = (more: string, queue = "inbox"): string => {
    const uri = `post-box:${queue}`;
    return `{ uri: "${uri}", parameters: { ${more} } }`;
  };
  const address = (): string => `127.0.0.1:${server.port}`;
  return {
    secrets: { "_connections/SHOP": server.password, "_connections/WRONG": "not-the-password" },
    async connect(app) {
      await putConnection(app, "shop", to(address(), { default: true }));
      await putConnection(app, "wrong", to(address(), { passwordRef: "WRONG" }));
      await putConnection(app, "nowhere", to("host.invalid:7000"));
      await putConnection(app, "untrusted", to(`127.0.0.1:${server.tlsPort}`, { tls: {} }));
    },
    async reset() {
      server.clear();
    },
    async produce(texts) {
      for (const text of texts) server.put("inbox", text);
    },
    consumed: async () => server.texts("outbox"),
    left: async () => server.texts("inbox").length,
    from: from("concurrentConsumers: 1"),
    sources: (underWay) => [from(`concurrentConsumers: ${underWay}`)],
    text: "${body}",
    to: (text) => `{ setBody: { simple: "${text}" } }, { to: "post-box:outbox" }`,
    connection: "shop",
    wrong: [
      ["password", from('connection: "#wrong"'), /the user or the password is wrong/],
      ["host", from('connection: "#nowhere"'), /host\.invalid/],
      ["certificate", from('connection: "#untrusted"'), /certificate/],
      ["queue", from('connection: "#shop"', "no*queue"), /is not the name of a queue/],
    ],
    server: {
      elsewhere: (other) => to(other),
      fromElsewhere: (connection) => from(`connection: "#${connection}"`),
      sendsAway: undefined,
      stop: () => server.stop(),
      restart: () => server.start(),
    },
    close: () => server.stop(),
  };
}
