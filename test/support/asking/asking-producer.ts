import type { ProducerContext } from "../../../src/workers/engine/component.ts";
import type { OwnConnection } from "../../../src/workers/engine/connections/connection.ts";
import type { Processor } from "../../../src/workers/engine/processor.ts";
import type { AskingClient } from "./asking-driver.ts";

interface AskingOptions {
  readonly connection: string;
  readonly server?: string | undefined;
  readonly password: string;
  readonly together: number;
  readonly shared: boolean;
}

export function askingProducer(
  { connection: name, server, password, together, shared }: AskingOptions,
  context: ProducerContext,
): Processor {
  const connection = context.connection<AskingClient>({
    kinds: ["postgres", "mysql"],
    ...(name !== "default" && server === undefined && { reference: name }),
    option: "connection",
    own: server === undefined ? undefined : ownOf(server, password),
  });
  return async (exchange) => {
    const question = String(exchange.message.body);
    const { client, release } = await (shared ? connection.share(exchange.run) : connection.lend(exchange.run));
    const others = [];
    try {
      const answer = await client.ask(question);
      for (let i = 1; i < together; i += 1) others.push(await connection.lend(exchange.run));
      exchange.message.body = answer;
      release();
    } catch (error) {
      release(true);
      throw error;
    } finally {
      for (const other of others) other.release();
    }
  };
}

function ownOf(server: string, password: string): OwnConnection {
  const [host = "", port] = server.split(":");
  return { kind: "postgres", servers: [{ host, port: Number(port) }], database: "own", username: "own", password };
}
