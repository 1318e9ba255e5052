/** Which of two representations a caller would rather have (RFC 9110 12.5.1). */

/** true: the Accept header names `type` itself, and gives `other` no more weight. */
export function prefers(accept: string | undefined, type: string, other: string): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(",").map(readRange);
  const wanted = ranges.find(({ range }) => range === type)?.weight ?? 0;
  return wanted > 0 && wanted >= (ranges.find(({ range }) => range === other)?.weight ?? 0);
}

function readRange(text: string): { range: string; weight: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return { range, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}
