/** Runs are found, read step by step and retried; failed messages wait, are edited and discarded. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { openStage } from "./support/stage.ts";

/** The other side: it has no rockets. */
const other = createServer((request, response) => {
  const isRocket = request.headers["x-sku"] === "rocket";
  response.writeHead(isRocket ? 503 : 200, { "content-type": "text/plain" }).end(isRocket ? "no rockets today" : "ok");
});
other.listen(0, "127.0.0.1");
await once(other, "listening");
after(() => other.close());
const { port } = other.address() as AddressInfo;

const orders = `- route:
    id: orders
    from:
      uri: webhook
      steps:
        - setHeader: { id: mark, name: X-Sku, expression: { simple: "\${body}" } }
        - to: { id: stock, uri: "http://127.0.0.1:${port}/stock" }
        - setBody: { id: done, expression: { constant: "<b>thanks</b>" } }
`;
const stage = await openStage({ runtime: { egressAllow: `127.0.0.1:${port}` } });
after(() => stage.close());
const deployed = await stage.runtime.put("orders", orders, { record: "all", keepFailed: "all" });
assert.equal(deployed.status, 201);
await stage.runtime.post("/api/orders", "anvil", { "content-type": "text/plain" });
await stage.runtime.post("/api/orders", "rocket", { "content-type": "text/plain" });

test("the list of runs is filtered in the address, and a run leads to each step's message", async () => {
  const page = await stage.open("#/runs");
  await page.locator("tbody tr").nth(1).waitFor();
  await page.getByLabel("Status", { exact: true }).selectOption("completed");
  await page.locator("tbody tr").nth(1).waitFor({ state: "detached" });
  await page.waitForURL(/#\/runs\?status=completed$/);
  await page.locator("tbody a").first().click();
  await page.getByRole("button", { name: "done" }).click();
  await page.locator(".diff-line.added", { hasText: "<b>thanks</b>" }).waitFor();
  await page.getByRole("tab", { name: "Before" }).click();
  await page.locator(".message-text", { hasText: "X-Sku: anvil" }).waitFor();
  await page.goBack();
  await page.locator("tbody tr").first().waitFor();
  assert.equal(await page.getByLabel("Status", { exact: true }).inputValue(), "completed");
  stage.assertNoErrors(page);
});

test("a failed call shows what the other side has answered, at an address of its own", async () => {
  const page = await stage.open("#/runs?flow=orders&status=failed");
  await page.locator("tbody a").first().click();
  await page.locator(".message-text", { hasText: "no rockets today" }).waitFor();
  await page.getByText("The run failed at step stock").waitFor();
  const again = await stage.open(new URL(page.url()).hash);
  await again.locator(".message-text", { hasText: "no rockets today" }).waitFor();
  stage.assertNoErrors(page);
  stage.assertNoErrors(again);
});

test("a failed message is retried as it is, then with another body", async () => {
  const page = await stage.open("#/runs?flow=orders&status=failed");
  await page.locator("tbody a").first().click();
  await page.getByRole("link", { name: "The message waits" }).click();
  await page.getByText("no rockets today").or(page.getByText("503")).first().waitFor();
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await page.waitForURL(/#\/runs\//);
  await page.getByText("The run failed at step stock").waitFor();
  await page.goto(`${stage.designer.url}/#/failed`);
  await page.locator("tbody a").first().click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Body").fill("anvil");
  await page.getByRole("button", { name: "Retry with this body" }).click();
  await page.locator(".run-head .chip", { hasText: "Completed" }).waitFor();
  await page.goto(`${stage.designer.url}/#/failed`);
  await page.getByText("No message waits").waitFor();
  stage.assertNoErrors(page);
});

test("a failed message is discarded once the question is answered", async () => {
  await stage.runtime.post("/api/orders", "rocket", { "content-type": "text/plain" });
  const page = await stage.open("#/failed");
  await page.locator("tbody tr").first().waitFor();
  await page.locator("tbody a").first().click();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await page.getByText("No message waits").waitFor();
  stage.assertNoErrors(page);
});
