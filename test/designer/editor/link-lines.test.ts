/** Lines between routes: whatever is drawn, they cross no card, and lead from the card that calls to the start of its route. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Box, Call, Column, Frame, Layout } from "../../../designer/web/src/editor/canvas/lines/layout.ts";
import { linesOf } from "../../../designer/web/src/editor/canvas/lines/lines.ts";

/** A column as the page lays it out: cards below each other, and branches side by side in a frame. */
interface Step {
  readonly branches: readonly (readonly Step[])[];
}

interface Drawn {
  readonly cards: Box[];
  readonly places: { readonly card: Box; readonly frames: readonly Frame[] }[];
}

const [cardWidth, cardHeight, gap] = [256, 40, 28];

/** @returns the size of the list */
function draw(steps: readonly Step[], left: number, top: number, frames: readonly Frame[], drawn: Drawn): Box {
  let [right, y] = [left + cardWidth, top];
  for (const { branches } of steps) {
    y += gap;
    const card = { left, top: y, right: left + cardWidth, bottom: y + cardHeight };
    drawn.cards.push(card);
    drawn.places.push({ card, frames });
    y = card.bottom;
    if (branches.length === 0) continue;
    const around = { left, top: y + 10 };
    const places: { readonly branch: Box; readonly from: number; readonly to: number }[] = [];
    let x = left + 12;
    for (const branch of branches) {
      const from = drawn.places.length;
      const head = { left: x, top: y + 22, right: x + cardWidth, bottom: y + 52 };
      drawn.cards.push(head);
      const box = draw(branch, x, head.bottom, [], drawn);
      places.push({ branch: { ...box, top: head.top }, from, to: drawn.places.length });
      x = box.right + 20;
    }
    const bottom = Math.max(...places.map(({ branch }) => branch.bottom));
    const frame = { ...around, right: x - 8, bottom: bottom + 8 };
    for (const { branch, from, to } of places)
      for (let at = from; at < to; at += 1) {
        const place = drawn.places[at] as Drawn["places"][number];
        drawn.places[at] = {
          card: place.card,
          frames: [...place.frames, { branch: { ...branch, bottom }, around: frame }, ...frames],
        };
      }
    right = Math.max(right, frame.right);
    y = frame.bottom;
  }
  return { left, top, right, bottom: y + gap };
}

interface Sketch {
  readonly routes: readonly (readonly Step[])[];
  readonly others: readonly (readonly Step[])[];
  readonly calls: readonly { readonly caller: number; readonly route: number }[];
}

function layoutOf({ routes, others, calls }: Sketch): { readonly layout: Layout; readonly cards: readonly Box[] } {
  const all: { readonly place: Drawn["places"][number]; readonly column: Call["column"] }[] = [];
  const cards: Box[] = [];
  const row = (lists: Sketch["routes"], name: "routes" | "others", top: number) => {
    let x = 0;
    return lists.map((steps, index): Column & { readonly start: Box } => {
      const drawn: Drawn = { cards: [], places: [] };
      const start = { left: x, top: top + 40, right: x + cardWidth, bottom: top + 40 + cardHeight };
      const box = draw(steps, x, start.bottom, [], drawn);
      drawn.cards.push(start, { ...start, top, bottom: top + 30 });
      cards.push(...drawn.cards);
      all.push(...drawn.places.map((place) => ({ place, column: { row: name, index } })));
      x = box.right + 32;
      return { ...box, top, obstacles: drawn.cards, start };
    });
  };
  const above = row(others, "others", 0);
  const columns = row(routes, "routes", above.length === 0 ? 0 : Math.max(...above.map(({ bottom }) => bottom)) + 28);
  const made = (all.length === 0 ? [] : calls).map(({ caller, route }, index): Call => {
    const { place, column } = all[caller % all.length] as (typeof all)[number];
    const to = route % columns.length;
    const start = columns[to]?.start as Box;
    return { from: `${index}`, to: `${to}`, isQueue: false, ...place, column, route: to, start };
  });
  return { layout: { routes: columns, others: above, calls: made }, cards };
}

const { steps } = fc.letrec<{ steps: readonly Step[]; step: Step }>((tie) => ({
  steps: fc.array(tie("step"), { maxLength: 5, depthIdentifier: "steps" }),
  step: fc.record({
    branches: fc.oneof(
      { depthIdentifier: "steps", maxDepth: 3 },
      fc.constant([]),
      fc.array(tie("steps"), { minLength: 1, maxLength: 4, depthIdentifier: "steps" }),
    ),
  }) as fc.Arbitrary<Step>,
}));
const sketches = fc.record({
  routes: fc.array(steps, { minLength: 1, maxLength: 5 }),
  others: fc.array(steps, { maxLength: 3 }),
  calls: fc.array(fc.record({ caller: fc.nat(200), route: fc.nat(10) }), { minLength: 1, maxLength: 12 }),
});

test("lines of calls cross no card and end at the start of the route, whatever is nested in what", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      const { layout, cards } = layoutOf(sketch);
      const lines = linesOf(layout);
      assert.equal(lines.length, layout.calls.length);
      for (const [index, { points }] of lines.entries()) {
        const { card, start } = layout.calls[index] as Call;
        const [[x, y], [endX, endY]] = [points[0] ?? [0, 0], points.at(-1) ?? [0, 0]];
        assert.ok((x === card.left || x === card.right) && y > card.top && y < card.bottom);
        assert.ok((endX === start.left || endX === start.right) && endY > start.top && endY < start.bottom);
        for (const [at, [toX, toY]] of points.slice(1).entries()) {
          const [fromX, fromY] = points[at] ?? [0, 0];
          assert.ok(fromX === toX || fromY === toY, "a part is neither horizontal nor vertical");
          const crossed = cards.filter(
            ({ left, right, top, bottom }) =>
              Math.max(fromX, toX) > left &&
              Math.min(fromX, toX) < right &&
              Math.max(fromY, toY) > top &&
              Math.min(fromY, toY) < bottom,
          );
          assert.deepEqual(crossed, [], JSON.stringify({ points, crossed }));
        }
      }
    }),
    { numRuns: 400 },
  );
});

test("lines to one route share its lane, and those to others keep a distance", () => {
  const route: readonly Step[] = [{ branches: [] }, { branches: [] }];
  const { layout } = layoutOf({
    routes: [route, [], []],
    others: [],
    calls: [
      { caller: 0, route: 1 },
      { caller: 1, route: 1 },
      { caller: 1, route: 2 },
    ],
  });
  const [one, two, other] = linesOf(layout).map(({ points }) => points[1]?.[0]);
  assert.equal(one, two);
  assert.notEqual(two, other);
});
