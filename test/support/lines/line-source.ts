/** Takes lines from a connection, as many as it has credits, and answers `<outcome> <id>` to each. */
import { createInterface, type Interface } from "node:readline";
import { openConnection } from "../../../src/workers/engine/net/connection.ts";
import type { Offer, Source, SourceContext } from "../../../src/workers/engine/source.ts";

interface LineOptions {
  readonly address: string;
  readonly password: string;
  readonly credits: number;
}

export function lineSource({ address, password, credits }: LineOptions, context: SourceContext): Source {
  const [host = "", port] = address.split(":");
  const { egress, log, report } = context;
  let paused = true;
  let reader: Interface | undefined;
  let taking = Promise.resolve();

  async function take(offer: Offer): Promise<void> {
    if (egress === undefined || paused) return;
    const socket = await openConnection(egress, { scheme: "lines", host, port: Number(port) }, 5000);
    socket.on("error", () => {}).write(`HELLO ${password}\n`);
    reader = createInterface({ input: socket });
    const answers: Promise<void>[] = [];
    if (paused) reader.close();
    for await (const line of reader) {
      await offer.ready();
      if (paused) break;
      const [id = "", body = "", ...more] = line.split(" ");
      if (more.includes("again")) report.redelivered();
      const traceparent = more.find((word) => word.startsWith("00-"));
      const settled = offer({ body, headers: [["LineId", id]], traceparent });
      socket.write(`taken ${id}\n`);
      answers.push(settled.then(({ outcome }) => void socket.write(`${outcome} ${id}\n`)));
    }
    await Promise.all(answers);
    socket.end();
  }

  function pause(): void {
    paused = true;
    reader?.close();
  }

  return {
    credits,
    start(offer) {
      paused = false;
      taking = taking.then(() => take(offer)).catch((error: unknown) => log("WARN", "lines", String(error)));
    },
    pause,
    stop() {
      pause();
      return taking;
    },
    // What it finds is its password, as a server's headers may have one.
    async peek(limit) {
      if (password === "fail") throw new Error(`nothing can be seen with ${password}`);
      return Array.from({ length: password === "empty" ? 0 : limit }, (_, at) => ({
        body: `line ${at} ${password}`,
        headers: [["LineId", at]],
        at: `lines/${at}`,
        ...(at === 1 && { unreadable: new Error(`not a line: ${password}`) }),
      }));
    },
  };
}
