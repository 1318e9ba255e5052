/** Calls between routes: lines in the drawing, and links to the routes of other flows. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible, colourRules } from "./support/accessible.ts";
import { choose } from "./support/palette.ts";
import { openStage } from "./support/stage.ts";

const shop = `- onException:
    id: oops
    exception: [java.io.IOException]
    steps:
      - to: { id: repair, uri: "direct:repair" }
- route:
    id: shop
    from:
      uri: webhook
      steps:
        - to: { id: first, uri: "direct:store" }
        - choice:
            id: way
            when:
              - simple: "\${body} == 1"
                steps:
                  - log: { id: one, message: one }
                  - to: { id: left, uri: "direct:store" }
              - simple: "\${body} == 2"
                steps:
                  - to: { id: middle, uri: "direct:store" }
                  - to: { id: queued, uri: "seda:later" }
            otherwise:
              steps:
                - wireTap: { id: right, uri: "direct:repair" }
                - log: { id: two, message: two }
        - to: { id: away, uri: "direct:bill" }
        - to: { id: gone, uri: "direct:nobody" }
- route:
    id: store
    from:
      uri: direct
      parameters: { name: store }
      steps:
        - log: { id: stored, message: stored }
        - to: { id: back, uri: "direct:repair" }
- route:
    id: later
    from: { uri: "seda:later", steps: [{ log: { id: seen, message: seen } }] }
- route:
    id: repair
    from: { uri: "direct:repair?shared=true", steps: [{ log: { id: repaired, message: repaired } }] }
`;
const bill = `- route:
    id: billing
    from:
      uri: direct:bill
      steps:
        - to: { id: pay, uri: "direct:pay" }
        - to: { id: again, uri: "direct:repair" }
`;
const pay = "- route: { id: payment, from: { uri: direct:pay, steps: [{ log: { id: paid, message: paid } }] } }\n";
const long = `- route:
    id: long
    from:
      uri: webhook
      steps:
${Array.from({ length: 200 }, (_, n) => `        - to: { id: s${n + 1}, uri: "direct:end" }`).join("\n")}
- route: { id: end, from: { uri: "direct:end", steps: [{ log: { id: last, message: last } }] } }
`;
const stage = await openStage({ files: { "shop.yaml": shop, "bill.yaml": bill, "long.yaml": long } });
after(() => stage.close());
// Only the runtime has this one.
assert.equal((await stage.runtime.put("pay", pay)).status, 201);

interface Drawn {
  /** The cards at both ends, by their ids or the texts of their addresses. */
  readonly ends: string;
  /** How far its beginning is from the card that calls, and its arrow from the card at the route's start. */
  readonly gaps: readonly number[];
  /** How many cards it crosses. */
  readonly crossed: number;
}

/** Waits until there are as many lines, and each is where its cards are now and crosses no other. @returns their ends */
async function settled(page: Page, count: number): Promise<readonly string[]> {
  // A line follows its cards within a few frames.
  const found = await page.waitForFunction((count) => {
    const nameOf = (card: Element | null): string =>
      (card as HTMLElement | null)?.dataset["id"] ?? card?.querySelector(".node-brief")?.textContent ?? "";
    const cards = [...document.querySelectorAll<HTMLElement>(".canvas .node[data-key]")];
    const byKey = (key: string | undefined) => cards.find((card) => card.dataset["key"] === key) ?? null;
    const boxes = cards.map((card) => {
      const { left, right, top, bottom } = card.getBoundingClientRect();
      return { card, left, right, top, bottom };
    });
    type Point = readonly [number, number];
    const [first] = document.querySelectorAll<SVGPathElement>(".link-way");
    const { a = 1, e = 0, d = 1, f = 0 } = first?.getScreenCTM() ?? {};
    /** The corners of a path, which are those of its straight parts. */
    const pointsOf = (path: SVGPathElement): readonly Point[] => {
      const numbers = [...(path.getAttribute("d") ?? "").matchAll(/-?[\d.]+/g)].map(Number);
      return numbers.flatMap((x, index): Point[] =>
        index % 2 === 0 ? [[x * a + e, (numbers[index + 1] ?? 0) * d + f]] : [],
      );
    };
    const lines: Drawn[] = [...document.querySelectorAll<SVGGElement>(".link-line")].map((line) => {
      const [from, to] = [byKey(line.dataset["from"]), byKey(line.dataset["to"])];
      const [way = [], arrow = []] = [...line.querySelectorAll("path")].map(pointsOf);
      const distance = (card: Element | null, [x, y]: Point = [Number.NaN, 0]): number => {
        const box = card?.getBoundingClientRect() ?? new DOMRect();
        return Math.max(box.left - x, x - box.right, box.top - y, y - box.bottom);
      };
      const parts = way.slice(1).map((end, index) => [way[index] as Point, end] as const);
      const crossed = boxes.filter(({ card, left, right, top, bottom }) => {
        if (card === from || card === to) return false;
        return parts.some(
          ([one, two]) =>
            Math.max(one[0], two[0]) > left + 1 &&
            Math.min(one[0], two[0]) < right - 1 &&
            Math.max(one[1], two[1]) > top + 1 &&
            Math.min(one[1], two[1]) < bottom - 1,
        );
      });
      return {
        ends: `${nameOf(from)} ${nameOf(to)}`,
        gaps: [Math.abs(distance(from, way[0])), Math.abs(distance(to, arrow[0]))],
        crossed: crossed.length,
      };
    });
    const areRight = lines.every(({ gaps, crossed }) => gaps.every((gap) => gap < 2) && crossed === 0);
    return lines.length === count && areRight && lines.map(({ ends }) => ends).sort();
  }, count);
  return (await found.jsonValue()) || [];
}

async function openShop(options: Parameters<typeof stage.open>[1] = {}): Promise<Page> {
  const page = await stage.open("#/flows/shop", options);
  await page.locator(".link-line").first().waitFor({ state: "attached" });
  return page;
}

const ends = [
  "back direct:repair",
  "first direct:store",
  "left direct:store",
  "middle direct:store",
  "queued seda:later",
  "repair direct:repair",
  "right direct:repair",
].map((line) => line.replace("direct:repair", "direct:repair?shared=true"));

/** The lines differ from what is behind them, and the page is no wider than the screen. */
async function assertSeen(page: Page): Promise<void> {
  const { colours, scrolls } = await page
    .locator(".link-way")
    .first()
    .evaluate((way) => ({
      colours: [getComputedStyle(way).stroke, getComputedStyle(document.body).backgroundColor],
      scrolls: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    }));
  assert.notEqual(colours[0], colours[1]);
  assert.equal(scrolls, false);
}

test("lines lead from each call to the start of its route and cross no card, and are seen in light, dark and forced colours", async () => {
  const page = await openShop({ colorScheme: "light" });
  assert.deepEqual(await settled(page, ends.length), ends);
  await assertSeen(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await assertSeen(page);
  await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
  await assertSeen(page);
  await assertAccessible(page, { rules: colourRules });
  stage.assertNoErrors(page);
});

test("on a phone, too, lines lead from each call to the start of its route and cross no card", async () => {
  const page = await openShop({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  assert.deepEqual(await settled(page, ends.length), ends);
  await assertSeen(page);
  stage.assertNoErrors(page);
});

test("lines follow the cards when steps are added, moved, dragged, taken back and zoomed", async () => {
  // Both ends of the drag are seen.
  const page = await openShop({ viewport: { width: 2200, height: 1000 } });
  await settled(page, ends.length);
  await page.locator('[data-id="first"]').click();
  await page.keyboard.press("a");
  await page.locator(".picker-entry").first().waitFor();
  await page.keyboard.type("log");
  await page.keyboard.press("Enter");
  await page.locator('[data-id="log-1"]').waitFor();
  assert.deepEqual(await settled(page, ends.length), ends);
  await page.locator('[data-id="middle"]').click();
  await page.keyboard.press("Alt+ArrowDown");
  assert.deepEqual(await settled(page, ends.length), ends);
  await page.locator('[data-id="left"]').dragTo(page.locator("li:has(> [data-id=stored]) > .gap"));
  await page.locator('[aria-label="Route store"] [data-id="left"]').waitFor();
  assert.deepEqual(await settled(page, ends.length), ends);
  await page.keyboard.press("Control+z");
  await page.locator('[aria-label="Route shop"] [data-id="left"]').waitFor();
  assert.deepEqual(await settled(page, ends.length), ends);
  await page.locator('[data-id="right"]').click();
  await page.keyboard.press("Delete");
  assert.deepEqual(
    await settled(page, ends.length - 1),
    ends.filter((line) => !line.startsWith("right")),
  );
  await page.locator('[data-id="first"]').hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 400);
  await page.keyboard.up("Control");
  await page.locator('.canvas-page[style*="zoom: 0."]').waitFor();
  await settled(page, ends.length - 1);
  stage.assertNoErrors(page);
});

test("the lines of what is selected or below the mouse are lit, and screen readers are spared them", async () => {
  const page = await openShop();
  const lit = (): Promise<readonly (string | undefined)[]> =>
    page.locator(".link-line.on").evaluateAll((lines) => lines.map((line) => (line as SVGElement).dataset["from"]));
  await page.locator('[data-id="middle"]').hover();
  await page.locator(".link-line.on").first().waitFor({ state: "attached" });
  assert.equal((await lit()).length, 1);
  await page.mouse.move(1, 1);
  await page.locator(".link-line.on").waitFor({ state: "detached" });
  await page.locator(".route-head .node", { hasText: "store" }).click();
  await page.mouse.move(1, 1);
  await page.locator(".link-line.on").nth(2).waitFor({ state: "attached" });
  assert.equal((await lit()).length, 3);
  assert.equal(await page.locator(".link-lines").getAttribute("aria-hidden"), "true");
  stage.assertNoErrors(page);
});

test("a call of another flow's route leads there, and the route names the flows that call it", async () => {
  const page = await openShop();
  await page.getByRole("link", { name: "→ bill in bill" }).click();
  await page.locator('.route-head .node[aria-pressed="true"]', { hasText: "billing" }).waitFor();
  await page.getByRole("link", { name: "called by shop" }).click();
  await page.locator('.node[data-id="away"][aria-pressed="true"]').waitFor();
  await page.getByRole("link", { name: "called by bill" }).click();
  await page.locator('.node[data-id="again"][aria-pressed="true"]').waitFor();
  stage.assertNoErrors(page);
});

test("by keyboard: a call is followed within the flow, into another one and back", async () => {
  const page = await openShop();
  await page.locator('[data-id="first"]').click();
  await page.keyboard.press("f");
  await page.locator('.route-head .node[aria-pressed="true"]', { hasText: "store" }).waitFor();
  await page.keyboard.press("f");
  await page.locator('.node[data-id="first"][aria-pressed="true"]').waitFor();
  await page.getByRole("link", { name: "→ bill in bill" }).waitFor();
  await page.locator('[data-id="away"]').click();
  await page.keyboard.press("f");
  await page.locator('.route-head .node[aria-pressed="true"]', { hasText: "billing" }).waitFor();
  await choose(page, "called by shop", /called by shop/);
  await page.locator('.node[data-id="away"][aria-pressed="true"]').waitFor();
  stage.assertNoErrors(page);
});

test("a route of a flow that only the runtime has is found in the list, and a name that nobody has gets no link", async () => {
  const page = await stage.open("#/flows/bill");
  const link = page.getByRole("link", { name: "→ pay in pay" });
  await link.waitFor();
  assert.match((await link.getAttribute("title")) ?? "", /Only the runtime has pay/);
  await link.click();
  await page.locator("tbody tr", { hasText: "pay" }).waitFor();
  assert.equal(await page.locator("tbody tr").count(), 1);
  const shopPage = await openShop();
  await shopPage.getByRole("link", { name: "→ bill in bill" }).waitFor();
  assert.equal(await shopPage.locator("li:has(> [data-id=gone]) .link-chip").count(), 0);
  stage.assertNoErrors(page);
});

test("two hundred calls are drawn as lines that share their way, and an edit moves them", async () => {
  const page = await stage.open("#/flows/long");
  await page.locator(".link-line").nth(199).waitFor({ state: "attached" });
  await settled(page, 200);
  await page.locator('[data-id="s1"]').click();
  await page.keyboard.press("Delete");
  await settled(page, 199);
  stage.assertNoErrors(page);
});
