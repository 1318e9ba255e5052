/** Consumers and connections in the editor: how a route polls on the drawing and in operations, and what options that name a connection offer. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { document, putConnection } from "../../support/connections.ts";
import { assertAccessible } from "./support/accessible.ts";
import { openStage } from "./support/stage.ts";

const inbox = `- route:
    id: inbox
    from:
      id: files
      uri: file:in?autoCreate=false&directoryMustExist=true&initialDelay=0&delay=200
      steps:
        - log: "took \${header.CamelFileName}"
`;
const orders = `- route:
    id: orders
    from:
      uri: webhook
      steps:
        - to:
            id: store
            uri: sql
            parameters:
              query: insert into orders values (1)
        - to: { id: old-store, uri: "jdbc:gone" }
`;
const stage = await openStage({ files: { "inbox.yaml": inbox, "orders.yaml": orders } });
after(() => stage.close());
const { runtime } = stage;
assert.equal((await runtime.put("inbox", inbox)).status, 201);

test("a consumer that cannot poll is marked on the drawing with its cause, is in operations, and is well again when it can", async () => {
  const page = await stage.open("#/flows/inbox");
  const chip = page.locator(".link-chip.consumer");
  await chip.filter({ hasText: /cannot poll since .*attempts?/ }).waitFor();
  assert.match((await chip.getAttribute("title")) ?? "", /Directory does not exist: in/);
  await assertAccessible(page);
  await chip.click();
  const table = page.getByRole("table", { name: "Consumers" });
  const row = table.getByRole("row", { name: /inbox inbox file backs off.*Directory does not exist/ });
  await row.waitFor();
  await page.getByText("1 consumer, 1 that cannot poll").waitFor();
  await page.getByRole("tab", { name: "Health" }).click();
  const note = page.locator(".note", { hasText: "Consumer cannot poll: inbox / inbox" });
  await note.getByText(/Directory does not exist/).waitFor();
  await note.getByRole("link", { name: "Show its consumers" }).click();
  await row.waitFor();
  const directory = join(runtime.directory, "files/inbox/in");
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "a.txt"), "x");
  await table.getByRole("row", { name: /inbox inbox file (?:waits|polls now).* 1 \/ 0 \/ 0/ }).waitFor();
  await page.goto(`${stage.designer.url}/#/flows/inbox`);
  await chip.filter({ hasText: /^(?:waits|polls now)$/ }).waitFor();
  stage.assertNoErrors(page);
});

test("an option that names a connection offers those that the flow may use, shows what is named, and makes one that is missing", async () => {
  await putConnection(runtime, "shop", document(5432));
  await putConnection(runtime, "team.db", document(5432));
  const page = await stage.open("#/flows/orders");
  await page.locator('.node[data-id="store"]').click();
  const field = page.getByLabel("Data source", { exact: true });
  const offered = await field.evaluate((input: HTMLInputElement) =>
    [...(input.list?.options ?? [])].map(({ value }) => value),
  );
  assert.deepEqual(offered, ["#shop"]);
  await field.fill("#shop");
  const note = page.locator(".connection-note");
  await note.getByText("postgres").waitFor();
  await note.getByText("not opened yet").waitFor();
  assert.equal(await note.getByRole("link").getAttribute("href"), "#/connections/shop");
  await field.fill("#team.db");
  await note.getByText("Flows such as this one may not use the connection:").waitFor();
  await page.locator('.node[data-id="old-store"]').click();
  await note.getByText("The runtime has no connection gone").waitFor();
  await assertAccessible(page);
  await note.getByRole("button", { name: "Make it" }).click();
  assert.equal(await page.getByRole("dialog").getByLabel("Name").inputValue(), "gone");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: /gone/ }).waitFor();
  stage.assertNoErrors(page);
});
