/**
 * Leads a line from each call to the start of the route that it calls, along the lanes between columns: out of its
 * branches without crossing a card, over the routes when the lanes differ, and down to the start. Lines to the same
 * route share their way.
 */
import type { Box, Call, Column, Frame, Layout } from "./layout.ts";

export type Point = readonly [x: number, y: number];
type Side = "left" | "right";

export interface Line {
  readonly from: string;
  readonly to: string;
  readonly isQueue: boolean;
  /** From the card to the start of the route; each part is horizontal or vertical. */
  readonly points: readonly Point[];
}

/** How far a lane is from the column beside it, the way over the routes from them, and a way along a branch from its cards. */
const [toLane, toBus, toBranch, toFrame] = [12, 12, 7, 6];
/** Lines to different routes keep this distance in a lane, as long as there are not too many. */
const [apart, tracks] = [3, 5];
/** What a bend counts when ways are compared, in pixels. */
const bend = 24;

export function linesOf(layout: Layout): readonly Line[] {
  const called = [...new Set(layout.calls.map(({ to }) => to))];
  return layout.calls.map((call): Line => {
    const offset = ((called.indexOf(call.to) % tracks) - (tracks - 1) / 2) * apart;
    const ways = sides.flatMap((out) => sides.map((into) => wayOf(layout, call, { out, into, offset })));
    const [best = []] = ways.sort((one, other) => costOf(one) - costOf(other));
    return { from: call.from, to: call.to, isQueue: call.isQueue, points: best };
  });
}

const sides: readonly Side[] = ["left", "right"];

interface Way {
  readonly out: Side;
  readonly into: Side;
  readonly offset: number;
}

function wayOf(layout: Layout, call: Call, { out, into, offset }: Way): readonly Point[] {
  const { routes } = layout;
  const { column, start, route } = call;
  const own = layout[column.row][column.index];
  if (own === undefined) return [];
  const points = wayOut(own, call, out);
  const [, y] = points.at(-1) as Point;
  const end = laneBeside(routes, route, into) + offset;
  const isBeside = column.row === "routes" && laneBeside(routes, column.index, out) + offset === end;
  if (isBeside) points.push([end, y]);
  else {
    const top = Math.min(...routes.map((one) => one.top)) - toBus + offset;
    if (column.row === "routes") points.push([laneBeside(routes, column.index, out) + offset, y]);
    else
      points.push(
        ...wayDown(layout, own, { x: (out === "left" ? own.left - toLane : own.right + toLane) + offset, y }),
      );
    const [x] = points.at(-1) as Point;
    points.push([x, top], [end, top]);
  }
  const middle = (start.top + start.bottom) / 2;
  points.push([end, middle], [into === "left" ? start.left : start.right, middle]);
  return straightened(points);
}

/** The middle of the lane on a side of a route. */
function laneBeside(routes: readonly Column[], index: number, side: Side): number {
  const [before, after] = side === "left" ? [routes[index - 1], routes[index]] : [routes[index], routes[index + 1]];
  if (before !== undefined && after !== undefined) return (before.right + after.left) / 2;
  return before === undefined ? (after?.left ?? 0) - toLane : before.right + toLane;
}

/** To the edge of the column: along its own height, or along the heads of the branches that it stands in. */
function wayOut({ obstacles, left, right }: Column, { card, frames }: Call, side: Side): Point[] {
  const edge = side === "left" ? left : right;
  let [x, y] = [side === "left" ? card.left : card.right, (card.top + card.bottom) / 2];
  const points: Point[] = [[x, y]];
  for (const { branch, around } of frames) {
    if (isFree(obstacles, { x, edge, y })) break;
    x = besideBranch(branch, side);
    points.push([x, y]);
    y = around.top + toFrame;
    points.push([x, y]);
  }
  points.push([edge, y]);
  return points;
}

function besideBranch({ left, right }: Frame["branch"], side: Side): number {
  return side === "left" ? left - toBranch : right + toBranch;
}

/** Whether nothing stands at a height between a card and the edge of the column. */
function isFree(
  obstacles: readonly Box[],
  at: { readonly x: number; readonly edge: number; readonly y: number },
): boolean {
  const [from, to] = [Math.min(at.x, at.edge), Math.max(at.x, at.edge)];
  return !obstacles.some(
    ({ left, right, top, bottom }) => at.y > top - 1 && at.y < bottom + 1 && right > from + 1 && left < to - 1,
  );
}

/** From the lane beside what stands above the routes: in the last row straight down, else along the left edge. */
function wayDown({ others }: Layout, own: Column, { x, y }: { readonly x: number; readonly y: number }): Point[] {
  const row = Math.max(...others.filter(({ top }) => Math.abs(top - own.top) < 2).map(({ bottom }) => bottom));
  if (!others.some(({ top }) => top > row)) return [[x, y]];
  const edge = Math.min(...others.map(({ left }) => left)) - toLane;
  return [
    [x, y],
    [x, row + toLane],
    [edge, row + toLane],
  ];
}

function costOf(points: readonly Point[]): number {
  const lengths = points.slice(1).map(([x, y], at) => {
    const [fromX, fromY] = points[at] as Point;
    return Math.abs(x - fromX) + Math.abs(y - fromY) + bend;
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Without points that lie on the way between their neighbours. */
function straightened(points: readonly Point[]): readonly Point[] {
  const bends: Point[] = [];
  for (const point of points) {
    const [last, before] = [bends.at(-1), bends.at(-2)];
    if (last !== undefined && last[0] === point[0] && last[1] === point[1]) continue;
    if (last !== undefined && before !== undefined && isStraight(before, last, point)) bends.pop();
    bends.push(point);
  }
  return bends;
}

function isStraight(one: Point, two: Point, three: Point): boolean {
  const isBetween = (axis: 0 | 1): boolean => (two[axis] - one[axis]) * (three[axis] - two[axis]) >= 0;
  return (
    (one[0] === two[0] && two[0] === three[0] && isBetween(1)) ||
    (one[1] === two[1] && two[1] === three[1] && isBetween(0))
  );
}
