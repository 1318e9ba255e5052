/** The command palette, by keyboard. */
import type { Page } from "playwright-core";

/** Chooses the first command that is found. `title`: of it */
export async function choose(page: Page, query: string, title: string | RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find a screen" });
  await palette.waitFor();
  await page.keyboard.type(query);
  await palette.getByRole("option", { name: title, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}
