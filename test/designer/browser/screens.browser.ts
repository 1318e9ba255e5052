/**
 * Every screen in light and dark, on a desktop and on a phone: nothing serious for axe, no error in the console, nothing wider than the
 * page. `PICTURES=docs/designer npm run test:browser -- screens` keeps a picture of each; those of the phone, in `phone/`, are no part of
 * the docs.
 */
import assert from "node:assert/strict";
import { globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import type { MappingFile } from "../../../designer/shared/wire.ts";
import { assertAccessible } from "./support/accessible.ts";
import { settled } from "./support/settled.ts";
import { openStage } from "./support/stage.ts";

interface Shown {
  readonly name: string;
  readonly hash: string;
  /** What is there when the screen is. */
  readonly ready: string;
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

const panel = (id: string): Pick<Shown, "hash" | "ready"> => ({
  hash: `#/flows/crm-orders?panel=${id}`,
  ready: ".canvas .node",
});

const screens: readonly Shown[] = [
  { name: "flows", hash: "#/flows", ready: "table tbody tr" },
  {
    ...{ name: "new-flow", hash: "#/flows", ready: "table tbody tr" },
    async prepare(page) {
      await page.keyboard.press("n");
      await page.getByLabel("Name").fill("Neue Bestellung");
    },
  },
  { name: "recipes", hash: "#/recipes?recipe=webhook-to-postgres", ready: ".recipe-view .canvas .node" },
  {
    ...{ name: "use-recipe", hash: "#/recipes?recipe=webhook-to-postgres", ready: ".recipe-view .canvas .node" },
    async prepare(page) {
      await page.keyboard.press("u");
      await page.getByText("What comes into the workspace").waitFor();
    },
  },
  {
    ...{ name: "deploy-several", hash: "#/flows", ready: "table tbody tr" },
    async prepare(page) {
      await page.locator("tr", { hasText: "refunds" }).locator(".chip", { hasText: "Deployed" }).waitFor();
      await page.keyboard.press("d");
      await page.locator(".several").getByText("new there").waitFor();
    },
  },
  {
    ...{ name: "deploy", hash: "#/flows/refunds", ready: ".canvas .node" },
    async prepare(page) {
      await page.locator(".editor-bar").getByRole("button", { name: "Deploy" }).click();
      await page.locator(".diff-line").first().waitFor();
    },
  },
  {
    ...{ name: "editor-revisions", ...panel("revisions") },
    prepare: (page) => page.getByRole("button", { name: /^Revision 1 / }).click(),
  },
  { name: "editor-form", ...panel("form"), prepare: (page) => page.locator('.node[data-id="plant"]').click() },
  {
    ...{ name: "editor-links", hash: "#/flows/deliveries", ready: ".canvas .node" },
    async prepare(page) {
      await page.locator('.node[data-id="hand-over"]').click();
      await page.locator(".link-line.on").waitFor({ state: "attached" });
    },
  },
  {
    ...{ name: "editor-secrets", hash: "#/flows/refunds", ready: ".canvas .node" },
    async prepare(page) {
      await page.locator('.node[data-id="bank"]').click();
      await page.getByPlaceholder("Find an option").fill("oauth2ClientSecret");
      await page.getByLabel("Oauth2 client secret", { exact: true }).focus();
      await page.locator("[role=listbox] [role=option]").first().waitFor();
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
  // A plot needs two samples.
  { name: "operations-usage", hash: "#/operations?tab=usage", ready: ".plot svg[role=img]" },
  { name: "operations-process", hash: "#/operations?tab=process", ready: ".plot svg[role=img]" },
  { name: "settings", hash: "#/settings", ready: "main h1, main h2" },
];

for (const scheme of ["light", "dark"] as const)
  for (const { name, hash, ready, prepare } of screens)
    test(`${name} in ${scheme}: accessible, without errors, and no wider than a phone`, async () => {
      const page = await stage.open(hash, { colorScheme: scheme });
      await page.locator(ready).first().waitFor();
      await prepare?.(page);
      await settled(page);
      if (folder !== undefined) {
        mkdirSync(resolve(root, folder), { recursive: true });
        await page.screenshot({ path: resolve(root, folder, `${name}-${scheme}.png`), animations: "disabled" });
      }
      await assertAccessible(page);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.locator(ready).first().waitFor({ state: "attached" });
      await assertAccessible(page);
      const wide = await page.evaluate(() => {
        const main = document.querySelector("main");
        const inMain = main === null ? 0 : main.scrollWidth - main.clientWidth;
        return Math.max(inMain, document.documentElement.scrollWidth - innerWidth);
      });
      assert.ok(wide <= 0, `${wide} pixels are beyond the right edge of a phone`);
      if (folder !== undefined && scheme === "light")
        await page.screenshot({ path: resolve(root, folder, "phone", `${name}.png`), animations: "disabled" });
      stage.assertNoErrors(page);
      await page.context().close();
    });
