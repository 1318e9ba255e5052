/** Several flows of the list are deployed together: each is compared, checked, and deployed by itself. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertAccessible } from "./support/accessible.ts";
import { openStage } from "./support/stage.ts";

function flow(id: string, step: string): string {
  return `- route:\n    id: ${id}\n    from:\n      uri: webhook\n      steps:\n        - ${step}\n`;
}

const stage = await openStage({
  files: {
    "fresh.yaml": flow("fresh", "setBody: { constant: fresh }"),
    "changed.yaml": flow("changed", "setBody: { constant: two }"),
    "changed.flow.yaml": "category: Shop\n",
    "wrong.yaml": flow("wrong", "lgo: x"),
    "same.yaml": flow("same", "setBody: { constant: one }"),
    "raced.yaml": flow("raced", "setBody: { constant: mine }"),
  },
});
after(() => stage.close());
for (const id of ["changed", "same"]) await stage.runtime.put(id, flow(id, "setBody: { constant: one }"));

test("those that differ are offered with their difference; what drifted is not chosen, what is wrong cannot be, and a race is no overwrite", async () => {
  const page = await stage.open("#/flows");
  await page.locator("tr", { hasText: "same" }).locator(".chip", { hasText: "Deployed" }).waitFor();
  await page.keyboard.press("d");
  const item = (id: string) => page.locator(".several > li", { hasText: id });
  await item("changed").getByText("+1 −1, other options").waitFor();
  await item("fresh").getByText("new there").waitFor();
  await item("wrong").getByText("unknown step 'lgo'").waitFor();
  await page.getByRole("button", { name: "Deploy 2 flows" }).waitFor();
  assert.equal(await page.locator(".several > li").count(), 4);
  assert.equal(await page.getByLabel("Deploy changed").isChecked(), false);
  assert.equal(await page.getByLabel("Deploy wrong").isDisabled(), true);
  await assertAccessible(page);
  await page.getByLabel("Deploy changed").check();
  // Somebody else deploys while the difference is looked at.
  await stage.runtime.put("raced", flow("raced", "setBody: { constant: theirs }"));
  await page.getByRole("button", { name: "Deploy 3 flows" }).click();
  await item("fresh").getByText("revision 1").waitFor();
  await item("changed").getByText("revision 2").waitFor();
  await item("raced").getByText("Somebody else has deployed meanwhile").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Close" }).last().click();
  await page.locator("tr", { hasText: "changed" }).locator(".chip", { hasText: "Deployed" }).waitFor();
  await page.locator("tr", { hasText: "raced" }).locator(".chip", { hasText: "Drifted" }).waitFor();
  assert.equal(await (await stage.runtime.post("/api/changed", "x")).text(), "two");
  assert.equal(await (await stage.runtime.post("/api/raced", "x")).text(), "theirs");
  stage.assertNoErrors(page, /412/);
});
