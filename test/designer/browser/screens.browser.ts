/**
 * Every screen in light and dark, on a desktop and on a phone: nothing serious for axe, no error in the console, nothing wider than the
 * page. `PICTURES=docs/designer npm run test:browser -- screens` keeps a picture of each; those of the phone, in `phone/`, are no part of
 * the docs.
 */
import assert from "node:assert/strict";
import { globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import type { MappingFile } from "../../../designer/shared/wire.ts";
import { assertAccessible, colourRules } from "./support/accessible.ts";
import { passTime } from "./support/clock.ts";
import { settled } from "./support/settled.ts";
import { openStage } from "./support/stage.ts";

interface Shown {
  readonly name: string;
  readonly hash: string;
  /** What is there when the screen is. */
  readonly ready: string;
  /** The part that is looked at, where the rest of the page is that of another screen. */
  readonly part?: string;
  readonly hasClock?: boolean;
  /** What is done before the picture. */
  prepare?(page: Page): Promise<void>;
}

const root = resolve(import.meta.dirname, "../../..");
const samples = join(root, "routes/samples");
const folder = process.env["PICTURES"];
const flows = Object.fromEntries(
  globSync("*.yaml", { cwd: samples }).map((file) => [file, readFileSync(join(samples, file), "utf8")]),
);
const draft = `- route:
    id: new-customers
    from:
      uri: webhook
      steps:
        - log: "a new customer: \${body}"
`;
const failing = `- route:
    id: refunds
    from:
      uri: webhook
      steps:
        - setHeader: { id: amount, name: X-Amount, simple: "\${body[amount]}" }
        - to: { id: bank, uri: "http://127.0.0.1:1/refunds" }
`;
const polling = `- route:
    id: bills
    from:
      id: new-bills
      uri: sql
      parameters:
        query: select * from bills where state = 'new'
        onConsume: update bills set state = 'sent' where id = :#id
        dataSource: "#billing"
        delay: 60000
      steps:
        - log: "bill \${body[id]}"
`;
const connection = (host: string, more: object = {}): object => ({
  ...{ kind: "postgres", servers: [host], database: "orders", username: "orders", passwordRef: "ORDERS_DB", tls: {} },
  ...more,
});
const connections = {
  orders: connection("db.example.org:5432", { default: true, maxConnections: 20 }),
  billing: connection("127.0.0.1:1", { flows: ["*"], tls: undefined }),
};
const stage = await openStage({
  files: { ...flows, "new-customers.yaml": draft, "refunds.yaml": failing, "bills.yaml": polling },
  runtime: {
    audit: {},
    secrets: {
      ...{ "refunds/bank/client-secret": "x-of-bank", "_shared/MAIL_PASSWORD": "x-of-mail" },
      "_connections/ORDERS_DB": "x-of-orders",
    },
  },
});
after(() => stage.close());
const runs = await prepareRuntime();

/** Sample flows with their documents, some calls of each kind, a failed run and a message that waits. */
async function prepareRuntime(): Promise<{ readonly good: string; readonly failed: string; readonly waiting: string }> {
  const documents = join(samples, "documents");
  for (const kind of ["value-mappings", "message-mappings"])
    for (const file of globSync("*.json", { cwd: join(documents, kind) })) {
      const put = await stage.runtime.api(`/${kind}/${basename(file, ".json")}`, {
        ...{ method: "PUT", body: readFileSync(join(documents, kind, file)) },
        headers: { "Content-Type": "application/json" },
      });
      assert.ok(put.ok, await put.text());
      const path = `/designer/mappings/${kind.replace("-mappings", "")}/${basename(file, ".json")}`;
      const text = readFileSync(join(documents, kind, file), "utf8");
      const { hash } = await stage.designer.json<MappingFile>("PUT", path, { text }, { "If-None-Match": "*" });
      await stage.designer.json("POST", `${path}/deployed`, { target: "default", hash, revision: 1 });
    }
  for (const [name, document] of Object.entries(connections)) {
    const put = await stage.runtime.api(`/connections/${name}`, {
      ...{ method: "PUT", body: JSON.stringify(document) },
      headers: { "Content-Type": "application/json" },
    });
    assert.ok(put.ok, await put.text());
  }
  for (const [file, yaml] of Object.entries({ ...flows, "refunds.yaml": failing, "bills.yaml": polling }))
    assert.equal(
      (await stage.runtime.put(basename(file, ".yaml"), yaml, { record: "all", keepFailed: "all" })).status,
      201,
    );
  const json = { "Content-Type": "application/json" };
  const order = JSON.stringify({
    orderNo: "17",
    status: "New",
    country: "DE",
    items: [{ sku: "anvil", quantity: "2" }],
  });
  const good = await stage.runtime.post("/api/crm-orders", order, json);
  for (let n = 0; n < 20; n += 1) await stage.runtime.post("/api/hello", `message ${n}`);
  const failed = await stage.runtime.post("/api/refunds", '{"amount": 12.5, "customer": "ann"}', json);
  const [waiting] = (await (await stage.runtime.api("/failed?limit=1")).json()) as { id: string }[];
  return {
    good: good.headers.get("x-run-id") ?? "",
    failed: failed.headers.get("x-run-id") ?? "",
    waiting: waiting?.id ?? "",
  };
}

/** A panel beside the drawing, which is that of the screen `editor-form`. */
const panel = (id: string): Pick<Shown, "hash" | "ready" | "part"> => ({
  hash: `#/flows/crm-orders?panel=${id}`,
  ready: ".canvas .node",
  part: ".editor-panel",
});
const dialog = "dialog[open]";

const screens: readonly Shown[] = [
  { name: "flows", hash: "#/flows", ready: "table tbody tr" },
  {
    ...{ name: "new-flow", hash: "#/flows", ready: "table tbody tr", part: dialog },
    async prepare(page) {
      await page.keyboard.press("n");
      await page.getByLabel("Name").fill("Neue Bestellung");
    },
  },
  { name: "recipes", hash: "#/recipes?recipe=webhook-to-postgres", ready: ".recipe-view .canvas .node" },
  {
    ...{
      name: "use-recipe",
      hash: "#/recipes?recipe=webhook-to-postgres",
      ready: ".recipe-view .canvas .node",
      part: dialog,
    },
    async prepare(page) {
      await page.keyboard.press("u");
      await page.getByText("What comes into the workspace").waitFor();
    },
  },
  {
    ...{ name: "deploy-several", hash: "#/flows", ready: "table tbody tr", part: dialog },
    async prepare(page) {
      await page.locator("tr", { hasText: "refunds" }).locator(".chip", { hasText: "Deployed" }).waitFor();
      await page.keyboard.press("d");
      await page.locator(".several").getByText("new there").waitFor();
    },
  },
  {
    ...{ name: "deploy", hash: "#/flows/refunds", ready: ".canvas .node", part: dialog },
    async prepare(page) {
      await page.locator(".editor-bar").getByRole("button", { name: "Deploy" }).click();
      await page.locator(".diff-line").first().waitFor();
    },
  },
  {
    ...{ name: "editor-revisions", ...panel("revisions") },
    prepare: (page) => page.getByRole("button", { name: /^Revision 1 / }).click(),
  },
  {
    ...{ name: "editor-form", hash: "#/flows/crm-orders?panel=form", ready: ".canvas .node" },
    prepare: (page) => page.locator('.node[data-id="plant"]').click(),
  },
  {
    ...{ name: "editor-links", hash: "#/flows/deliveries", ready: ".canvas .node" },
    async prepare(page) {
      await page.locator('.node[data-id="hand-over"]').click();
      await page.locator(".link-line.on").waitFor({ state: "attached" });
    },
  },
  {
    ...{ name: "editor-secrets", hash: "#/flows/refunds", ready: ".canvas .node", part: ".editor-panel" },
    async prepare(page) {
      await page.locator('.node[data-id="bank"]').click();
      await page.getByPlaceholder("Find an option").fill("oauth2ClientSecret");
      await page.getByLabel("Oauth2 client secret", { exact: true }).focus();
      await page.locator("[role=listbox] [role=option]").first().waitFor();
    },
  },
  {
    ...{ name: "editor-picker", ...panel("form"), part: dialog },
    async prepare(page) {
      await page.locator('.node[data-id="plant"]').click();
      await page.keyboard.press("a");
      await page.locator(".picker-entry").first().waitFor();
    },
  },
  { name: "editor-yaml", ...panel("yaml"), prepare: (page) => page.locator(".cm-content").waitFor() },
  { name: "editor-try", ...panel("try") },
  { name: "editor-live", ...panel("live"), prepare: (page) => page.locator(".watch-panel .chip").first().waitFor() },
  { name: "editor-run", hash: `#/flows/refunds?panel=runs&run=${runs.failed}`, ready: '.node.failed[data-id="bank"]' },
  { name: "editor-tests", ...panel("tests") },
  { name: "editor-options", ...panel("options") },
  {
    ...{ name: "editor-mappings", ...panel("mappings") },
    prepare: (page) => page.locator(".flow-mappings .chip").first().waitFor(),
  },
  {
    ...{ name: "editor-beside", hash: "#/flows/crm-orders?panel=mappings&mapping=value:order-status" },
    ready: "[role=grid] [role=gridcell]",
  },
  { name: "runs", hash: "#/runs", ready: "table tbody tr" },
  { name: "run", hash: `#/runs/${runs.good}`, ready: ".step-item" },
  { name: "run-failed", hash: `#/runs/${runs.failed}`, ready: ".step-item.failed" },
  { name: "failed", hash: "#/failed", ready: "table tbody tr" },
  { name: "failed-message", hash: `#/failed/${runs.waiting}`, ready: "main h1, main h2" },
  { name: "value-mappings", hash: "#/value-mappings", ready: "table tbody tr" },
  { name: "value-mapping", hash: "#/value-mappings/order-status", ready: "[role=grid] [role=gridcell]" },
  { name: "message-mappings", hash: "#/message-mappings", ready: "table tbody tr" },
  { name: "message-mapping", hash: "#/message-mappings/crm-order", ready: "main h1" },
  { name: "connections", hash: "#/connections", ready: "tr:has-text('billing') .chip.bad" },
  {
    ...{ name: "connection", hash: "#/connections/billing", ready: ".connection-side .chip.bad" },
    async prepare(page) {
      await page.getByRole("button", { name: "Test", exact: true }).click();
      await page.locator(".note.error").waitFor();
    },
  },
  ...["health", "consumers", "limits", "state&flow=refunds", "access&flow=refunds", "audit"].map((part) => ({
    name: `operations-${part.replace(/&.*/, "")}`,
    hash: `#/operations?tab=${part}`,
    ready: "[role=tabpanel] :is(table, .figures, .filters)",
  })),
  ...["usage", "process"].map((part) => ({
    ...{ name: `operations-${part}`, hash: `#/operations?tab=${part}`, ready: "[role=tabpanel] .plot" },
    ...{ hasClock: true, prepare: plotted },
  })),
  { name: "settings", hash: "#/settings", ready: "main h1, main h2" },
];

/** A plot needs two samples, and that of a rate one before. */
async function plotted(page: Page): Promise<void> {
  for (let count = 0; count < 2; count += 1) await passTime(page, 5000);
  await page.locator(".plot svg[role=img]").first().waitFor();
}

/** Keeps a picture of the page as it is now, when pictures are wanted. */
async function keepPicture(page: Page, file: string): Promise<void> {
  if (folder === undefined) return;
  const path = resolve(root, folder, file);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, animations: "disabled" });
}

for (const { name, hash, ready, part, hasClock = false, prepare } of screens)
  test(`${name}: accessible in light and in dark, without errors, and no wider than a phone`, async () => {
    const page = await stage.open(hash, { colorScheme: "light", hasClock });
    await page.locator(ready).first().waitFor();
    await prepare?.(page);
    await settled(page);
    await keepPicture(page, `${name}-light.png`);
    await assertAccessible(page, { part });
    await page.emulateMedia({ colorScheme: "dark" });
    await keepPicture(page, `${name}-dark.png`);
    await assertAccessible(page, { part, rules: colourRules });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator(ready).first().waitFor({ state: "attached" });
    await settled(page);
    await keepPicture(page, `phone/${name}.png`);
    await assertAccessible(page, { part });
    const wide = await page.evaluate(() => {
      const main = document.querySelector("main");
      const inMain = main === null ? 0 : main.scrollWidth - main.clientWidth;
      return Math.max(inMain, document.documentElement.scrollWidth - innerWidth);
    });
    assert.ok(wide <= 0, `${wide} pixels are beyond the right edge of a phone`);
    stage.assertNoErrors(page);
  });
