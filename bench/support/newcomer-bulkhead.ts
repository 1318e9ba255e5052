/** The first flow of somebody new in the designer, by mouse and with the texts typed: made, deployed and tried. */
import type { Locator, Page } from "playwright-core";
import type { Hands } from "./hands.ts";

/** The page shows the empty list of flows, and at the end the answer of the message that was sent. */
export async function makeFlowInDesigner(page: Page, hands: Hands): Promise<void> {
  const form = page.locator("#editor-form");
  const dialog = page.getByRole("dialog", { name: /^Deploy / });
  const panel = page.locator(".watch-panel");
  const plus = (list: Locator): Locator => list.locator(":scope > li > .gap.last > .plus");
  const expression = form.locator(".expression :is(input, textarea)").first();
  const field = (name: string): Locator => form.getByRole("textbox", { name });
  const addStep = async (place: Locator, search: string, id: string): Promise<void> => {
    await hands.click(place);
    await page.locator(".picker-entry").first().waitFor();
    await hands.type(search);
    await hands.press("Enter");
    await page.locator(`.node[data-id="${id}"][aria-pressed="true"]`).waitFor();
  };
  const endOfRoute = plus(page.locator(".route > .steps"));
  const endOfBranch = plus(page.locator(".branch > .steps"));

  await hands.click(page.getByRole("button", { name: "New flow" }).first());
  await page.getByLabel("Name").waitFor();
  await hands.type("Orders");
  await hands.press("Enter");
  await addStep(endOfRoute, "set header", "setHeader-1");
  await hands.write(expression, "${body[total]}");
  await hands.write(field("Name"), "total");
  await addStep(endOfRoute, "choice", "choice-1");
  await hands.click(page.locator(".branch > .node", { hasText: "When" }));
  await hands.write(expression, "${header.total} > 100");
  await addStep(endOfBranch.first(), "log", "log-1");
  await hands.write(field("Message"), "large");
  await addStep(endOfBranch.last(), "log", "log-2");
  await hands.write(field("Message"), "small");
  await addStep(endOfRoute, "set body", "setBody-1");
  await hands.write(expression, "thanks");
  await hands.click(page.locator(".editor-bar").getByRole("button", { name: "Deploy" }));
  await dialog.getByText("does not have this flow yet").waitFor();
  await hands.click(dialog.getByRole("button", { name: "Deploy" }));
  await page.getByText("is deployed to").waitFor();
  await hands.click(page.getByRole("tab", { name: "Try it" }));
  await hands.write(panel.getByLabel("Body"), '{"total":150}', true);
  await hands.click(panel.getByRole("button", { name: "Send" }));
  await page.locator('.node.ok[data-id="log-1"]').waitFor();
  await panel.getByText("thanks").first().waitFor();
}
