/** An answer's error body has 1 KiB: the rest is for what stands around the message. */
const mostBytes = 940;

/**
 * Lists the first problem, then the others, one per line, as many as an error's message has room for. When some are
 * left out, `rest` makes the last line from their number.
 */
export function problemLines(first: string, others: readonly string[], rest: (count: number) => string): string {
  let lines = first;
  for (const [i, problem] of others.entries()) {
    const longer = `${lines}\n${problem}`;
    const left = others.length - i - 1;
    const whole = left === 0 ? longer : `${longer}\n${rest(left)}`;
    if (Buffer.byteLength(JSON.stringify(whole)) > mostBytes) return `${lines}\n${rest(left + 1)}`;
    lines = longer;
  }
  return lines;
}

/** Lists as many problems as an error's message has room for, the first in any case, and the number of the others. */
export function listProblems(problems: readonly string[]): string {
  const [first = "", ...others] = problems;
  let listed = first;
  for (const [i, problem] of others.entries()) {
    const longer = `${listed}; ${problem}`;
    if (Buffer.byteLength(JSON.stringify(longer)) > mostBytes) return `${listed}; ${describeMore(others.length - i)}`;
    listed = longer;
  }
  return listed;
}

/** Returns `1 more problem`, `3 more problems`. */
export function describeMore(count: number): string {
  return `${count} more problem${count === 1 ? "" : "s"}`;
}
