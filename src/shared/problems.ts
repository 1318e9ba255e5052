/** An answer's error body has 1 KiB: the rest is for what stands around the message. */
const mostBytes = 940;

/** As many problems as an error's message has room for, the first in any case, and the number of the others. */
export function allTold(problems: readonly string[]): string {
  const [first = "", ...others] = problems;
  let told = first;
  for (const [i, problem] of others.entries()) {
    const longer = `${told}; ${problem}`;
    if (Buffer.byteLength(JSON.stringify(longer)) > mostBytes) return `${told}; ${more(others.length - i)}`;
    told = longer;
  }
  return told;
}

function more(count: number): string {
  return `${count} more problem${count === 1 ? "" : "s"}`;
}
