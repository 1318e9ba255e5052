/** Decodes the escapes of a text: percent-encoding, JSON's and XML's, also nested. */

export interface View {
  readonly text: string;
  /** Maps a range of the view to the range in the original text. */
  source(from: number, to: number): readonly [from: number, to: number];
}

/** How many levels of nested escapes are decoded. */
const depth = 2;

interface Escape {
  readonly pattern: RegExp;
  /** Decodes an escape: yields its characters, each with the end of its part of the escape. */
  read(written: string): Iterable<readonly [character: string, end: number]>;
}

/** Returns the views of a text; the text itself comes first. */
export function decodedViews(text: string): View[] {
  const views: View[] = [{ text, source: (from, to) => [from, to] }];
  let last = views;
  for (let level = 0; level < depth; level++) {
    last = last.flatMap((view) => escapes.flatMap((kind) => undone(view, kind) ?? []));
    views.push(...last);
  }
  return views;
}

/** Decodes one kind of escapes; returns undefined for a text without any. */
function undone(view: View, { pattern, read }: Escape): View | undefined {
  const parts: string[] = [];
  let length = 0;
  let copied = 0;
  const decoded = new Decoded();
  for (const { 0: written, index } of view.text.matchAll(pattern)) {
    parts.push(view.text.slice(copied, index));
    length += index - copied;
    let start = index;
    for (const [character, end] of read(written)) {
      parts.push(character);
      for (let i = 0; i < character.length; i++) decoded.add(length++, start, index + end);
      start = index + end;
    }
    copied = index + written.length;
  }
  if (copied === 0) return undefined;
  parts.push(view.text.slice(copied));
  return {
    text: parts.join(""),
    source: (from, to) => view.source(decoded.place(from)[0], decoded.place(to - 1)[1]),
  };
}

/**
 * Records which of a view's characters were escapes, and where these stand in the previous text; the other characters
 * follow one by one.
 */
class Decoded {
  readonly #at: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  add(at: number, start: number, end: number): void {
    this.#at.push(at);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** Returns where the view's character begins and ends in the previous text. */
  place(index: number): readonly [start: number, end: number] {
    let low = 0;
    for (let high = this.#at.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.#at[middle] as number) <= index) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return [index, index + 1];
    const at = this.#at[low - 1] as number;
    const end = this.#ends[low - 1] as number;
    if (at === index) return [this.#starts[low - 1] as number, end];
    return [end + index - at - 1, end + index - at];
  }
}

const percent: Escape = {
  pattern: /(?:%[0-9A-Fa-f]{2})+/g,
  *read(written) {
    const bytes = Buffer.from(written.replaceAll("%", ""), "hex");
    for (let at = 0; at < bytes.length; ) {
      const lead = bytes[at] as number;
      const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
      const character = bytes.toString("utf8", at, at + length);
      at += length;
      yield [character, Math.min(at, bytes.length) * 3];
    }
  },
};

const short: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const json: Escape = {
  pattern: /\\(?:u[0-9A-Fa-f]{4}|["'\\/bfnrt])/g,
  *read(written) {
    const code = written.charAt(1);
    const character = code === "u" ? String.fromCharCode(Number.parseInt(written.slice(2), 16)) : (short[code] ?? code);
    yield [character, written.length];
  },
};

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const xml: Escape = {
  pattern: /&(?:#x[0-9A-Fa-f]{1,5}|#[0-9]{1,6}|amp|lt|gt|quot|apos);/g,
  *read(written) {
    const name = written.slice(1, -1);
    const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    yield [named[name] ?? String.fromCodePoint(code), written.length];
  },
};

const escapes: readonly Escape[] = [percent, json, xml];
