/** How much work something does with texts: characters looked at, counted by the text methods themselves, never by the clock. */

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** How many characters a call of each method of String looks at. */
const costs: Readonly<Record<string, (text: string, args: readonly unknown[], result: unknown) => number>> = {
  charCodeAt: () => 1,
  charAt: () => 1,
  at: () => 1,
  startsWith: (_text, [part]) => String(part).length,
  endsWith: (_text, [part]) => String(part).length,
  slice: (_text, _args, result) => String(result).length,
  indexOf: (text, [, from], found) => (Number(found) < 0 ? text.length : Number(found)) - Number(from ?? 0),
  lastIndexOf: (text) => text.length,
  includes: (text) => text.length,
  replace: (text) => text.length,
  replaceAll: (text) => text.length,
  split: (text) => text.length,
  trim: (text) => text.length,
  trimStart: (text) => text.length,
  trimEnd: (text) => text.length,
  toLowerCase: (text) => text.length,
};

/** From where it began to the end of what it found; to the end of the text when it found nothing and may search on. */
function searched({ sticky, global }: RegExp, from: number, text: string, found: RegExpExecArray | null): number {
  const began = sticky || global ? from : 0;
  if (found !== null) return found.index + found[0].length - began;
  return sticky ? 0 : text.length - began;
}

/** Runs `action`, and gives the characters that it looked at through methods of String and RegExp. */
export function workOf(action: () => void): number {
  let work = 0;
  const undo: (() => void)[] = [];
  const replace = (prototype: object, name: string, make: (original: Method) => Method) => {
    const original = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
    undo.push(() => Object.defineProperty(prototype, name, original));
    Object.defineProperty(prototype, name, { ...original, value: make(original.value as Method) });
  };
  for (const [name, cost] of Object.entries(costs)) {
    replace(String.prototype, name, (original) => {
      return function (this: unknown, ...args) {
        const result = original.apply(this, args);
        work += 1 + cost(this as string, args, result);
        return result;
      };
    });
  }
  replace(RegExp.prototype, "exec", (original) => {
    return function (this: unknown, ...args) {
      const regex = this as RegExp;
      const from = regex.lastIndex;
      const found = original.apply(this, args) as RegExpExecArray | null;
      work += 1 + searched(regex, from, String(args[0]), found);
      return found;
    };
  });
  try {
    action();
  } finally {
    for (const restore of undo.reverse()) restore();
  }
  return work;
}
