/** When a page has all that it asks for by itself. */
import type { Page } from "playwright-core";

const quietMs = 500;

/**
 * Resolves when nothing has been loaded for half a second. Playwright's `networkidle` never comes to a page with a shared
 * worker: the browser does not report the end of the worker's script.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, ms);
        const observer = new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            observer.disconnect();
            resolve();
          }, ms);
        });
        observer.observe({ type: "resource", buffered: true });
      }),
    quietMs,
  );
}
