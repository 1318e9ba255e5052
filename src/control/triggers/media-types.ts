/** Matches media types and ranges (RFC 9110 12.5.1). Parameters other than `q` do not count. */

/** Whether one of the ranges covers the Content-Type; without ranges any type will do. */
export function isConsumed(ranges: readonly string[], contentType: string): boolean {
  if (ranges.length === 0) return true;
  const type = mainPart(contentType);
  return ranges.some((range) => covers(range, type));
}

/** Whether a caller accepts one of the produced types; without an Accept header it accepts all. */
export function isAccepted(produces: readonly string[], accept: string | undefined): boolean {
  if (produces.length === 0 || accept === undefined || accept.trim() === "") return true;
  const ranges = accept.split(",").map(readRange);
  return produces.some((type) => weightOf(type, ranges) > 0);
}

interface Range {
  readonly range: string;
  readonly weight: number;
}

function readRange(text: string): Range {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { range, weight: q === undefined ? 1 : Number(q) };
}

/** Returns the weight of the most specific range that covers the type, or that a produced range covers. */
function weightOf(type: string, ranges: readonly Range[]): number {
  let best: Range | undefined;
  for (const candidate of ranges) {
    if (!covers(candidate.range, type) && !covers(type, candidate.range)) continue;
    if (best === undefined || specificity(candidate.range) > specificity(best.range)) best = candidate;
  }
  return best?.weight ?? 0;
}

function specificity(range: string): number {
  return range === "*/*" ? 0 : range.includes("*") ? 1 : 2;
}

function covers(range: string, type: string): boolean {
  const [main, sub] = range.split("/");
  const [otherMain, otherSub] = type.split("/");
  return (main === "*" || main === otherMain) && (sub === "*" || sub === otherSub);
}

export function mainPart(contentType: string): string {
  return (contentType.split(";")[0] as string).trim().toLowerCase();
}
