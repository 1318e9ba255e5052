/** A thread with the rights of a flow that calls out. It loads each client library and uses it without a server, and reports what came of it. */
import { parentPort } from "node:worker_threads";
import { renounce } from "../../src/workers/renounce.ts";

/** Each returns a text by which its library is recognized. */
const uses: Readonly<Record<string, () => Promise<string>>> = {
  "@platformatic/kafka": async () => {
    const { compressionsAlgorithms } = await import("@platformatic/kafka");
    // By the WebAssembly that the library has beside its code.
    return String(
      compressionsAlgorithms.lz4.decompressSync(compressionsAlgorithms.lz4.compressSync(Buffer.from("kafka"))),
    );
  },
  rhea: async () => (await import("rhea")).default.create_container({ id: "rhea" }).id,
  "rabbitmq-client": async () => {
    const { default: rabbit } = await import("rabbitmq-client");
    return rabbit.AMQPError.prototype instanceof Error ? "rabbitmq" : "something else";
  },
  mqtt: async () => {
    const { default: mqtt } = await import("mqtt");
    const client = new mqtt.MqttClient(() => process.stdin as never, { manualConnect: true, clientId: "mqtt" });
    return String(client.options.clientId);
  },
  nodemailer: async () => {
    const { default: nodemailer } = await import("nodemailer");
    const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
    const { envelope } = await transport.sendMail({ from: "a@example.com", to: "nodemailer@example.com", text: "x" });
    return String(envelope.to[0]).split("@")[0] ?? "";
  },
  ssh2: async () => {
    const { default: ssh2 } = await import("ssh2");
    // As in ssh-key.ts, which a thread with these rights may not read: ssh2 makes keys that it cannot read.
    for (;;) {
      const parsed = ssh2.utils.parseKey(ssh2.utils.generateKeyPairSync("ed25519", { comment: "ssh2" }).private);
      if (!(parsed instanceof Error)) return parsed.comment;
    }
  },
  "basic-ftp": async () => new (await import("basic-ftp")).default.FileInfo("basic-ftp").name,
};

renounce(true);
const found: Record<string, string> = {};
for (const [name, use] of Object.entries(uses)) {
  try {
    found[name] = await use();
  } catch (error) {
    found[name] = error instanceof Error ? String(error.stack) : String(error);
  }
}
parentPort?.postMessage(found);
