/** The example of docs/connectors/kafka.md, as it stands there: only the servers of the connection are the test's. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { putConnection } from "../sql/connection-document.ts";
import { startKafkaFor } from "./kafka-app.ts";

const page = readFileSync(new URL("../../../docs/connectors/kafka.md", import.meta.url), "utf8");

function blockOf(language: "yaml" | "json"): string {
  const written = page.replaceAll(/<!-- (?:kind|options of) .*?<!-- end of [^\n]*/gs, "");
  const [, block = ""] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(written) ?? [];
  return block;
}

test("the example of the page sends an order, splits it, and sends its lines", {
  skip: missing("Kafka"),
}, async (t) => {
  const { server, tester } = await startKafkaFor(t);
  await Promise.all([tester.create("orders", 3), tester.create("order-lines")]);
  const app = await startTestApp(t, { secrets: { "_connections/SHOP_KAFKA": server.password } });
  const { tls: _, alsoServers: __, ...document } = JSON.parse(blockOf("json")) as Record<string, unknown>;
  const own = { servers: [`127.0.0.1:${server.ports.sasl}`], username: server.username, flows: ["*"] };
  await putConnection(app, "shop", { ...document, ...own });
  const put = await app.put("order-in", blockOf("yaml"));
  assert.ok(put.ok, await put.text());
  const order = JSON.stringify({ customer: "oscar", lines: [{ item: "a" }, { item: "b" }] });
  const answer = await app.post("/api/order-in", order, { "Content-Type": "application/json" });
  assert.equal(await answer.text(), "sent as 0");
  await eventually(async () => (await tester.read("order-lines")).length === 2, "the lines are sent", 60_000);
  const lines = (await tester.read("order-lines")).map(({ value }) => String(value));
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { readonly item: string }).item),
    ["a", "b"],
  );
  const [sent] = await tester.read("orders");
  assert.equal(String(sent?.key), "oscar");
});
