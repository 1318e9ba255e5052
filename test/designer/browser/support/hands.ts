/** How a person uses the page: with the mouse, typing only texts, or with the keyboard alone. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { choose } from "./palette.ts";

export interface Hand {
  newFlow(name: string, category: string): Promise<void>;
  /** Adds a step behind the last one: the first that a search finds. */
  addStep(search: string): Promise<void>;
  selectStep(id: string): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  press(button: Locator): Promise<void>;
  showPanel(title: string): Promise<void>;
  /** Opens the deployment, and goes on with it once `check` has looked at it. */
  deploy(check: (dialog: Locator) => Promise<void>): Promise<void>;
}

export function mouse(page: Page): Hand {
  const press = (button: Locator): Promise<void> => button.click();
  return {
    press,
    async newFlow(name, category) {
      await press(page.getByRole("button", { name: "New flow" }));
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("Category").fill(category);
      await press(page.getByRole("button", { name: "Create" }));
    },
    async addStep(search) {
      await press(page.getByRole("button", { name: "Add a step here" }).last());
      await page.locator(".picker-entry").first().waitFor();
      await page.keyboard.type(search);
      await press(page.locator('.picker-entry[aria-selected="true"]'));
    },
    selectStep: (id) => press(page.locator(`.node[data-id="${id}"]`)),
    write: (field, text) => field.fill(text),
    showPanel: (title) => press(page.getByRole("tab", { name: title })),
    async deploy(check) {
      await press(page.locator(".editor-bar").getByRole("button", { name: "Deploy" }));
      const dialog = page.getByRole("dialog", { name: /^Deploy / });
      await check(dialog);
      await press(dialog.getByRole("button", { name: "Deploy" }));
    },
  };
}

/** Nothing is clicked, and nothing gets the focus but by keys. */
export function keyboard(page: Page): Hand {
  const keys = async (...all: readonly string[]): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };
  const goTo = async (part: Locator): Promise<void> => {
    await part.waitFor();
    for (let count = 0; count < 150; count += 1) {
      if (await part.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab does not come to ${part}`);
  };
  const goToCanvas = (): Promise<void> => goTo(page.locator('.canvas .node[tabindex="0"]'));
  return {
    async newFlow(name, category) {
      await page.getByRole("button", { name: "New flow" }).waitFor();
      await keys("n");
      await page.getByRole("dialog", { name: "New flow" }).waitFor();
      await page.keyboard.type(name);
      await keys("Tab");
      await page.keyboard.type(category);
      await keys("Enter");
    },
    async addStep(search) {
      await goToCanvas();
      await keys("End", "a");
      await page.locator(".picker-entry").first().waitFor();
      await page.keyboard.type(search);
      await keys("Enter");
    },
    async selectStep(id) {
      await goToCanvas();
      await keys("Home");
      const selected = page.locator(`.node[data-id="${id}"][aria-pressed="true"]`);
      for (let count = 0; (await selected.count()) === 0; count += 1) {
        assert.ok(count < 50, `the arrow keys do not come to ${id}`);
        await keys("ArrowDown");
      }
    },
    async write(field, text) {
      await goTo(field);
      await keys("Control+a");
      await page.keyboard.type(text);
    },
    async press(button) {
      await goTo(button);
      await keys("Enter");
    },
    async showPanel(title) {
      await choose(page, `Show ${title}`, new RegExp(`Show ${title}`));
      await page.getByRole("tab", { name: title, selected: true }).waitFor();
    },
    async deploy(check) {
      await keys("Control+Shift+Enter");
      const dialog = page.getByRole("dialog", { name: /^Deploy / });
      await check(dialog);
      await goTo(dialog.getByRole("button", { name: "Deploy" }));
      await keys("Enter");
    },
  };
}
