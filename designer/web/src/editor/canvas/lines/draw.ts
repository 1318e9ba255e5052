/** Lines as paths of an SVG: round at their bends, with an arrow at the end. */
import type { Line, Point } from "./lines.ts";

export interface DrawnLine {
  readonly from: string;
  readonly to: string;
  readonly isQueue: boolean;
  readonly path: string;
  readonly arrow: string;
}

const radius = 6;
const [arrowLength, arrowWidth] = [7, 4];

export function drawLine({ points, ...ends }: Line): DrawnLine {
  const { path, arrow } = drawn(points);
  return { ...ends, path, arrow };
}

function drawn(points: readonly Point[]): Pick<DrawnLine, "path" | "arrow"> {
  const [first, end, before] = [points[0], points.at(-1), points.at(-2)];
  if (first === undefined || end === undefined || before === undefined) return { path: "", arrow: "" };
  const [x, y] = end;
  const back = x > before[0] ? -arrowLength : arrowLength;
  // The line ends inside of its arrow.
  const short: readonly Point[] = [...points.slice(0, -1), [x + back / 2, y]];
  const bends = short.slice(1, -1).map((corner, at) => rounded(short[at] as Point, corner, short[at + 2] as Point));
  return {
    path: `M${text(first)}${bends.join("")}L${text(short.at(-1) as Point)}`,
    arrow: `M${text(end)}L${text([x + back, y - arrowWidth])}L${text([x + back, y + arrowWidth])}Z`,
  };
}

function rounded(before: Point, corner: Point, after: Point): string {
  return `L${text(towards(corner, before))}Q${text(corner)} ${text(towards(corner, after))}`;
}

/** A point on the way from one to another, at most as far as the middle. */
function towards([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.abs(toX - x) + Math.abs(toY - y);
  const part = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return [x + (toX - x) * part, y + (toY - y) * part];
}

function text([x, y]: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
