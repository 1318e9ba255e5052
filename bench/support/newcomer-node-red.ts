/** The same flow of somebody new in the editor of Node-RED 5: dragged from the palette, joined by wires, deployed and called. */
import type { Locator, Page } from "playwright-core";
import type { Hands } from "./hands.ts";

type Point = readonly [x: number, y: number];

/** The page shows an empty flow, and at the end the message of `large` among the debug messages. */
export async function makeFlowInNodeRed(page: Page, hands: Hands, url: string): Promise<void> {
  const tray = page.locator(".red-ui-tray");
  const rules = tray.locator("#node-input-rule-container > li");
  const inputs = (within: Locator): Locator => within.locator(".red-ui-typedInput-input:visible");
  const types = (within: Locator): Locator => within.locator(".red-ui-typedInput-type-select:visible");
  const type = (name: string): Locator =>
    page.locator(".red-ui-typedInput-options:visible a", { hasText: name }).first();
  const inPalette = (kind: string): Locator => page.locator(`.red-ui-palette-node[data-palette-type="${kind}"]`);
  const nodes = page.locator(".red-ui-flow-node-group");
  const wires = page.locator(".red-ui-flow-link-line");

  const add = async (kind: string, [x, y]: Point): Promise<Locator> => {
    const ids = async (): Promise<string[]> => nodes.evaluateAll((all) => all.map(({ id }) => id));
    const before = await ids();
    const { x: left, y: top } = await box(page.locator("#red-ui-workspace-chart"));
    await hands.drag(await center(inPalette(kind)), [left + x, top + y]);
    await nodes.nth(before.length).waitFor();
    const id = (await ids()).find((one) => !before.includes(one));
    return page.locator(`[id="${id}"]`);
  };
  const edit = async (node: Locator, fill: () => Promise<void>): Promise<void> => {
    await hands.doubleClick(node.locator(".red-ui-flow-node").first());
    await tray.waitFor();
    await fill();
    await hands.click(page.locator("#node-dialog-ok"));
    await tray.waitFor({ state: "detached" });
  };
  const wire = async (from: Locator, output: number, to: Locator): Promise<void> => {
    const count = await wires.count();
    const port = from.locator(".red-ui-flow-port-output").nth(output).locator("rect").last();
    await hands.drag(await center(port), await center(to.locator(".red-ui-flow-port-input rect").last()));
    await wires.nth(count).waitFor({ state: "attached" });
  };

  const large = await add("debug", [650, 60]);
  const small = await add("debug", [650, 160]);
  await hands.scrollTo(inPalette("change"));
  const header = await add("change", [240, 110]);
  const choice = await add("switch", [470, 110]);
  const thanks = await add("change", [420, 260]);
  await hands.scrollTo(inPalette("http response"));
  const webhook = await add("http in", [110, 30]);
  const answer = await add("http response", [600, 260]);

  await edit(webhook, async () => {
    await hands.choose(tray.locator("#node-input-method"), "POST");
    await hands.write(tray.locator("#node-input-url"), "/orders", true);
  });
  await edit(header, async () => {
    await hands.write(inputs(rules).first(), "total");
    await hands.choose(types(rules).last(), type("msg."));
    await hands.write(inputs(rules).last(), "payload.total", true);
  });
  await edit(choice, async () => {
    await hands.write(inputs(tray).first(), "total");
    await hands.choose(rules.first().locator("select:visible").first(), ">");
    await hands.choose(types(rules.first()).last(), type("number"));
    await hands.write(inputs(rules.first()).last(), "100", true);
    await hands.click(tray.locator(".red-ui-editableList-addButton:visible"));
    await hands.choose(rules.last().locator("select:visible").first(), "otherwise");
  });
  await edit(large, () => hands.write(tray.locator("#node-input-name"), "large"));
  await edit(small, () => hands.write(tray.locator("#node-input-name"), "small"));
  await edit(thanks, () => hands.write(inputs(rules).last(), "thanks", true));
  await wire(webhook, 0, header);
  await wire(header, 0, choice);
  await wire(choice, 0, large);
  await wire(choice, 1, small);
  await wire(choice, 0, thanks);
  await wire(choice, 1, thanks);
  await wire(thanks, 0, answer);
  await hands.click(page.locator("#red-ui-header-button-deploy"));
  await page.getByText("Successfully deployed").waitFor();
  // The editor sends no requests, and the shortest command sends a form.
  hands.countCommand("curl -d total=150 127.0.0.1:1880/orders");
  const response = await fetch(`${url}/orders`, { method: "POST", body: new URLSearchParams({ total: "150" }) });
  if ((await response.text()) !== "thanks") throw new Error(`POST /orders answers ${response.status}`);
  await page.locator(".red-ui-debug-msg", { hasText: "large" }).waitFor();
}

async function box(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await part.boundingBox();
  if (found === null) throw new Error(`${part} is not on the page`);
  return found;
}

async function center(part: Locator): Promise<Point> {
  const { x, y, width, height } = await box(part);
  return [x + width / 2, y + height / 2];
}
