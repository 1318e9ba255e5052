/** Connections as a screen: made, tried before and after they are saved, changed by two people, used, and deleted; and what each role may do. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { startAskServer } from "../../support/ask-server.ts";
import { asks, document, putConnection } from "../../support/connections.ts";
import { assertAccessible } from "./support/accessible.ts";
import { logIn, openStage } from "./support/stage.ts";

const ends: (() => unknown)[] = [];
const server = await startAskServer({ after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext);
server.password = "right-password";
const stage = await openStage({
  hasLogin: true,
  files: { "orders.yaml": asks("orders", "asking:#shop") },
  runtime: {
    threadEntry: new URL("../../support/asking/flow-worker.ts", import.meta.url),
    checkEntry: new URL("../../support/asking/check-worker.ts", import.meta.url),
    secrets: { "_connections/SHOP": "right-password", "_connections/BAD": "wrong-one" },
  },
});
after(async () => {
  await stage.close();
  for (const end of ends) await end();
});
const { runtime } = stage;

async function openAs(role: "viewer" | "editor" | "operator", hash: string): Promise<Page> {
  const page = await stage.open(hash);
  await logIn(page, role);
  return page;
}

test("an operator makes a connection by its form, tries it before it is saved, and sees who uses it and how it is", async () => {
  const page = await openAs("operator", "#/connections");
  await page.getByText("There are no connections yet").waitFor();
  await page.getByText(/put its password into a file of SECRETS_DIR/).waitFor();
  await page.getByRole("button", { name: "New connection" }).click();
  await page.getByLabel("Name").fill("shop");
  await page.getByLabel("Kind").selectOption("postgres");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: /shop/ }).waitFor();
  assert.equal(
    await page.getByRole("button", { name: "Save" }).isDisabled(),
    true,
    "servers, database and user are missing",
  );
  await page.getByLabel("Servers").fill(`127.0.0.1:${server.port}`);
  await page.getByLabel("Database").fill("shop");
  await page.getByLabel(/^User/).fill("shop");
  await page.getByLabel("Password: name of its secret").fill("BAD");
  assert.equal(await page.locator("input[type=password]").count(), 0);
  await page.getByLabel("applicationName").fill("designer");
  await page.getByRole("button", { name: "Test without saving" }).click();
  const result = page.locator(".note", { hasText: "What is written here cannot be opened" });
  await result.getByText("the password is wrong").waitFor();
  await page.getByLabel("Password: name of its secret").fill("SHOP");
  await page.getByRole("button", { name: "Test without saving" }).click();
  const found = page.locator(".note", { hasText: "What is written here can be opened" });
  await found.getByText("Ask 1.0").waitFor();
  await found.getByText("not encrypted").waitFor();
  await assertAccessible(page);
  assert.equal((await runtime.api("/connections/shop")).status, 404, "a trial keeps nothing");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("shop is saved as revision 1, and in force.").waitFor();
  const { servers, options, passwordRef } = (await (await runtime.api("/connections/shop")).json()) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    [servers, options, passwordRef],
    [[`127.0.0.1:${server.port}`], { applicationName: "designer" }, "SHOP"],
  );

  assert.equal((await runtime.put("orders", asks("orders", "asking:#shop"))).status, 201);
  assert.equal(await (await runtime.post("/api/orders", "x")).text(), "answer to x");
  await page.getByRole("link", { name: "orders" }).waitFor();
  await page.locator(".connection-side .chip", { hasText: "ok" }).waitFor();
  await page.goto(`${stage.designer.url}/#/connections`);
  await page.getByRole("row", { name: /shop.*PostgreSQL.*127\.0\.0\.1.*ok.*1 \/ . \/ 0 of 10.*orders/ }).waitFor();
  stage.assertNoErrors(page, /401/);
});

test("a document that the runtime refuses is shown with what to write, and a failing connection with its cause", async () => {
  await putConnection(runtime, "down", document(1, { flows: ["*"] }));
  assert.equal((await runtime.put("asks-down", asks("asks-down", "asking:#down"))).status, 201);
  await runtime.post("/api/asks-down", "x");
  const page = await openAs("operator", "#/connections");
  await page.getByRole("row", { name: /down.*failing.*since.*ECONNREFUSED/ }).waitFor();
  await page.getByRole("link", { name: "down", exact: true }).click();
  await page.getByLabel("Flows that may use it").selectOption("Those of its own group");
  await page.getByLabel("Password: name of its secret").fill("../token");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/passwordRef: the name of a file in SECRETS_DIR\/_connections is expected/).waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  assert.equal(await page.getByLabel("Password: name of its secret").inputValue(), "");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page
    .locator(".note", { hasText: "What the runtime has cannot be opened" })
    .getByText(/ECONNREFUSED/)
    .waitFor();
  stage.assertNoErrors(page, /401|422/);
});

test("a change of somebody else is shown as a difference, and one decides", async () => {
  await putConnection(runtime, "shared", document(5432));
  const page = await openAs("operator", "#/connections/shared");
  await page.getByLabel("Database").fill("mine");
  await putConnection(runtime, "shared", document(5433));
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Somebody else has changed this connection").waitFor();
  await dialog.locator(".diff-line.removed", { hasText: "127.0.0.1:5433" }).waitFor();
  await dialog.getByRole("button", { name: "Write mine over it" }).click();
  await page.getByText("shared is saved as revision 3, and in force.").waitFor();
  const { database, servers } = (await (await runtime.api("/connections/shared")).json()) as Record<string, unknown>;
  assert.deepEqual([database, servers], ["mine", ["127.0.0.1:5432"]]);
  await page.getByRole("button", { name: "Duplicate" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: /shared-copy/ }).waitFor();
  assert.equal(await page.getByLabel("Database").inputValue(), "mine");
  stage.assertNoErrors(page, /401|412/);
});

test("a connection in use is deleted only after its users were named, and stops them", async () => {
  await putConnection(runtime, "old", document(server.port, { passwordRef: "SHOP" }));
  assert.equal((await runtime.put("uses-old", asks("uses-old", "asking:#old"))).status, 201);
  const page = await openAs("operator", "#/connections/old");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "old is in use" });
  await dialog.getByText("uses-old", { exact: true }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Delete it, and stop these routes" }).click();
  await page.getByText("old is deleted, and 1 route that used it is stopped.").waitFor();
  assert.equal((await runtime.api("/connections/old")).status, 404);
  assert.equal((await runtime.post("/api/uses-old", "x")).status, 503);
  stage.assertNoErrors(page, /401|409/);
});

test("viewers look, editors try what is kept, and neither changes a connection nor sends a document to a server", async () => {
  await putConnection(runtime, "seen", document(server.port, { passwordRef: "SHOP" }));
  const viewer = await openAs("viewer", "#/connections/seen");
  await viewer.getByLabel("Database").waitFor();
  assert.equal(await viewer.getByLabel("Database").isDisabled(), true);
  for (const name of ["Save", "Test", "Delete", "Duplicate"])
    assert.equal(await viewer.getByRole("button", { name, exact: true }).count(), 0);
  const editor = await openAs("editor", "#/connections/seen");
  await editor.getByRole("button", { name: "Test", exact: true }).click();
  await editor.locator(".note", { hasText: "What the runtime has can be opened" }).waitFor();
  assert.equal(await editor.getByRole("button", { name: "Save" }).count(), 0);
  const sent = (method: string, path: string, body: unknown): Promise<number> =>
    editor.evaluate(
      async ([method, path, body]) => {
        const headers = { "Content-Type": "application/json", "X-Designer": "1" };
        return (await fetch(`/targets/default/_api/connections/${path}`, { method, headers, body })).status;
      },
      [method, path, JSON.stringify(body)] as const,
    );
  assert.equal(await sent("POST", "seen/test", { document: document(1) }), 403);
  assert.equal(await sent("PUT", "seen", document(1)), 403);
  assert.equal(await sent("DELETE", "seen", {}), 403);
  stage.assertNoErrors(viewer, /401/);
  stage.assertNoErrors(editor, /401|403/);
});
