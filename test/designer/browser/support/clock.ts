/** The clock of a page, for what depends on the time between two things that a person does, and for what comes by itself later. */
import type { Page } from "playwright-core";
import { settled } from "./settled.ts";

/** From now on no time passes for the page between two keys, however long the machine takes; its timers go on. */
export async function holdTime(page: Page): Promise<void> {
  await page.clock.setFixedTime(new Date());
}

/**
 * Brings what the page does by itself after a time, once it has what it asks for now. The page was opened with
 * `hasClock`.
 */
export async function passTime(page: Page, ms: number): Promise<void> {
  await settled(page);
  await page.clock.fastForward(ms);
}
