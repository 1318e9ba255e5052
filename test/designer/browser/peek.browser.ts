/** The next messages of a consumer in operations and on the drawing: looked at, read, and why there are none to see. */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { startLineServer } from "../../support/line-server.ts";
import { assertAccessible } from "./support/accessible.ts";
import { choose } from "./support/palette.ts";
import { logIn, openStage } from "./support/stage.ts";

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});
const server = await startLineServer({ after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext);
const route = (id: string, uri: string): string =>
  `- route: { id: ${id}, from: { uri: "${uri}", steps: [{ log: x }] } }\n`;
const inbox = [
  route("taker", `lines:${server.address}?password={{secret:LINES}}`),
  route("nothing", `lines:${server.address}?password=empty`),
  route("broken", `lines:${server.address}?password=fail`),
  route("folder", "file:in"),
  route("memory", "seda:q"),
  route("sensors", "paho-mqtt5:sensors?brokerUrl=tcp://127.0.0.1:1"),
].join("");
const stage = await openStage({
  hasLogin: true,
  files: { "inbox.yaml": inbox },
  runtime: {
    threadEntry: new URL("../../support/lines/flow-worker.ts", import.meta.url),
    checkEntry: new URL("../../support/lines/check-worker.ts", import.meta.url),
    egressAllow: `lines/${server.address},127.0.0.1:1`,
    secrets: { "inbox/LINES": "pass-of-lines" },
  },
});
ends.push(() => stage.close());
const { runtime } = stage;
const put = await runtime.put("inbox", inbox);
assert.equal(put.status, 201, await put.text());

async function consumers(role: "editor" | "viewer"): Promise<Page> {
  const page = await stage.open("#/operations?tab=consumers");
  await logIn(page, role);
  await page.getByRole("table", { name: "Consumers" }).waitFor();
  return page;
}

test("the next messages of a consumer are read by keyboard, with secrets hidden, a fault at the one that cannot be read, and more of them when asked", async () => {
  const page = await consumers("editor");
  const button = page.getByRole("button", { name: "Peek at the next messages of taker" });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Next messages of taker" });
  await dialog.getByText(/^10 messages as of .*, the next one first\.$/).waitFor();
  const items = dialog.getByRole("listitem");
  assert.equal(await items.count(), 10);
  await items
    .nth(0)
    .getByLabel("Headers and body (String) of lines/0")
    .filter({ hasText: /LineId: 0\s+line 0 \*\*\*/ })
    .waitFor();
  const second = items.nth(1);
  await second.getByText("cannot be read", { exact: true }).waitFor();
  await second.locator("summary").focus();
  await page.keyboard.press("Enter");
  await second.getByText("not a line: ***").waitFor();
  await second.getByLabel("Headers and body (String) of lines/1").waitFor();
  await assertAccessible(page);
  assert.doesNotMatch(await dialog.innerText(), /pass-of-lines/);
  await dialog.getByRole("button", { name: "Look at 50" }).click();
  await dialog.getByText(/^50 messages/).waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Look at 50" }).count(), 0);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.locator(":focus").and(button).waitFor();
  stage.assertNoErrors(page);
});

test("an empty queue says so, and a server that cannot be asked says why, and both can be asked again", async () => {
  const page = await consumers("editor");
  await page.getByRole("button", { name: "Peek at the next messages of nothing" }).click();
  const empty = page.getByRole("dialog", { name: "Next messages of nothing" });
  await empty.getByText(/^No message waited at/).waitFor();
  const again = page.waitForResponse((answer) => answer.url().includes("/routes/nothing/messages"));
  await empty.getByRole("button", { name: "Look again" }).click();
  assert.equal((await again).status(), 200);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Peek at the next messages of broken" }).click();
  const broken = page.getByRole("dialog", { name: "Next messages of broken" });
  await broken.getByRole("alert").getByText("route 'broken': nothing can be seen with fail").waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page, /409/);
});

test("consumers whose messages cannot be seen have the reason in place of the button, and viewers have neither", async () => {
  const page = await consumers("editor");
  for (const [id, reason] of [
    ["folder", "They are files: look into the folder"],
    ["memory", "They wait in the memory of the flow"],
    ["sensors", "MQTT shows a message only by delivering it"],
  ]) {
    const row = page.getByRole("row", { name: new RegExp(`^inbox ${id} `) });
    await row.getByText(reason ?? "").waitFor();
    assert.equal(await row.getByRole("button").count(), 0);
  }
  await assertAccessible(page);
  const viewer = await consumers("viewer");
  assert.equal(await viewer.getByRole("button", { name: /^Peek/ }).count(), 0);
  assert.equal(await viewer.getByRole("columnheader", { name: "Messages", exact: true }).count(), 0);
  stage.assertNoErrors(page);
});

test("the messages are looked at from the drawing, by its chip and by the command palette", async () => {
  const page = await stage.open("#/flows/inbox");
  await logIn(page, "editor");
  const chip = page.getByRole("button", { name: "Peek at the next messages of taker" });
  await chip.click();
  const dialog = page.getByRole("dialog", { name: "Next messages of taker" });
  await dialog.getByText(/^10 messages/).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await choose(page, "peek taker", /Peek at the next messages of taker/);
  await dialog.getByText(/^10 messages/).waitFor();
  stage.assertNoErrors(page);
});
