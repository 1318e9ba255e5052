/** What flows with a database are measured against: one process, `node:http` and `pg`, the same statements, and nothing else. */
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import pg from "pg";
import { pageRows, statementsOf } from "./database-flows.ts";

const { PORT, TABLES = "bare", FILE = "rows.csv" } = process.env;
const { next, done, rows } = statementsOf(TABLES);
const pool = new pg.Pool({ max: 10 });

async function insert(text: string): Promise<void> {
  const { customer, total } = JSON.parse(text) as { customer: string; total: number };
  await pool.query(`insert into orders_${TABLES} (customer, total) values ($1, $2)`, [customer, total]);
}

/** Resolves with the number of rows. */
async function poll(client: pg.PoolClient): Promise<number> {
  const { rows: found } = await client.query<{ id: number; label: string }>(next);
  if (found.length === 0) return 0;
  const labels = found.map(({ id, label }) => `order ${id} is ${label}`);
  await client.query("begin");
  for (const label of labels) await client.query(`insert into outbox_${TABLES} (label) values ($1)`, [label]);
  await client.query("commit");
  await client.query(done);
  return found.length;
}

async function pollAgain(): Promise<void> {
  const client = await pool.connect();
  while ((await poll(client)) > 0);
  client.release();
  setTimeout(() => void pollAgain(), 500);
}

async function exportRows(): Promise<void> {
  const client = await pool.connect();
  const file = createWriteStream(FILE, { flags: "a" });
  await client.query("begin");
  await client.query(`declare part cursor for ${rows}`);
  for (;;) {
    const { rows: part } = await client.query<Record<string, unknown>>(`fetch ${pageRows} from part`);
    if (part.length === 0) break;
    const text = part.map((row) => Object.values(row).map(field).join(",")).join("\n");
    if (!file.write(`${text}\n`)) await new Promise((resolve) => file.once("drain", resolve));
  }
  await client.query("commit");
  client.release();
  await new Promise<void>((resolve) => file.end(resolve));
}

function field(value: unknown): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const work = request.url === "/export" ? exportRows() : insert(Buffer.concat(chunks).toString("utf8"));
    work.then(
      () => response.end("ok"),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(Number(PORT), "127.0.0.1");
void pollAgain();
process.on("SIGTERM", () => process.exit(0));
