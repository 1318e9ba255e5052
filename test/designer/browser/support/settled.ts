/** When a page has all that it asks for by itself. */
import type { Page, Request } from "playwright-core";

const underWay = new WeakMap<Page, Set<Request>>();

/** The browser does not report the end of a shared worker's script, and streams of events have none. */
function isEndless(request: Request): boolean {
  return request.resourceType() === "eventsource" || request.url().includes("/assets/shared-worker-");
}

/** Begins to count the requests of a page that has not loaded anything yet. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => {
    if (!isEndless(request)) requests.add(request);
  });
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => requests.delete(request));
}

/** Resolves when no request is under way once the page has drawn what the last one has brought. */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page) ?? new Set();
  do {
    while (requests.size > 0) await nextEnd(page, requests);
    await page.evaluate(
      () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn)))),
    );
  } while (requests.size > 0);
}

/** Resolves when a request ends; rejects when none does for as long as a page may take for anything. */
async function nextEnd(page: Page, requests: ReadonlySet<Request>): Promise<void> {
  try {
    await Promise.race([page.waitForEvent("requestfinished"), page.waitForEvent("requestfailed")]);
  } catch (error) {
    throw new Error(`Under way: ${[...requests].map((request) => request.url()).join(", ")}`, { cause: error });
  }
}
