/** Hides the values of secrets in text, in all their spellings. Linear in the text's length. */

import querystring from "node:querystring";
import { shownSecrets } from "./secret-mark.ts";
import { decodedViews, type View } from "./secret-views.ts";

/**
 * Returns the text, or its first `most` characters, with `***` in place of secrets; a secret at the cut is hidden as
 * well.
 */
export type Mask = (text: string, most?: number) => string;

/** Shorter values are not hidden, because they occur in ordinary text. */
export const shortestMasked = 4;
/** How many characters of a value's beginning are hidden even without the rest, since texts are cut. */
const mostNeeded = 16;
/** How many characters are read beyond a cut: the beginning of a value in its longest spelling. */
export const maskMargin = mostNeeded * 18;
/** Each line of at least this length in a value of several lines, such as a PEM key, counts as a value. */
const longLine = 16;

const hidden = "***";

export function noMask(text: string, most = text.length): string {
  return most < text.length ? text.slice(0, most) : text;
}

/** A spelling of a value. */
interface Form {
  readonly text: string;
  /** How many characters of its beginning count as the whole value. */
  readonly needed: number;
}

/** Makes a mask; without values, or with only too short ones, `noMask`. */
export function secretMask(values: Iterable<string>): Mask {
  const forms = formsOf(values);
  if (forms.length === 0) return noMask;
  const find = finder(forms);
  return (text, most = text.length) => {
    const read = text.slice(0, most + maskMargin);
    const regions: Region[] = [];
    for (const view of decodedViews(read)) find(view, regions);
    return shownSecrets(hide(read, regions, Math.min(most, read.length)));
  };
}

type Region = readonly [from: number, to: number];

/** Regions of the view's source that hold a form, or enough of its beginning. */
function finder(forms: readonly Form[]): (view: View, regions: Region[]) => void {
  const byStart = Map.groupBy(forms, ({ text }) => text.slice(0, shortestMasked));
  const starts = [...byStart.keys()].map((start) => start.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  // A lookahead, so that overlapping values are both found.
  const start = new RegExp(`(?=(${starts.join("|")}))`, "g");
  return ({ text, source }, regions) => {
    let covered = 0;
    for (const match of text.matchAll(start)) {
      const from = match.index;
      let to = from;
      for (const form of byStart.get(match[1] as string) ?? []) to = Math.max(to, agreement(text, from, form, covered));
      if (to === from || to <= covered) continue;
      covered = to;
      regions.push(source(from, to));
    }
  };
}

/**
 * Returns where the text stops matching the form, `from` without any match. Characters that are covered already are not
 * compared again.
 */
function agreement(text: string, from: number, { text: form, needed }: Form, covered: number): number {
  if (!text.startsWith(form.slice(0, needed), from)) return from;
  let length = Math.max(needed, Math.min(covered - from, form.length));
  while (length < form.length && text.charCodeAt(from + length) === form.charCodeAt(length)) length += 1;
  return from + length;
}

function hide(text: string, regions: readonly Region[], end: number): string {
  let result = "";
  let copied = 0;
  for (const [from, to] of [...regions].sort(([a], [b]) => a - b)) {
    if (from >= end) break;
    if (from >= copied) result += `${text.slice(copied, from)}${hidden}`;
    copied = Math.max(copied, to);
  }
  return copied < end ? result + text.slice(copied, end) : result;
}

function formsOf(values: Iterable<string>): Form[] {
  const texts = new Set<string>();
  for (const value of values) {
    for (const part of [value, ...value.split(/[\r\n]+/).filter((line) => line.length >= longLine)]) {
      if (part.length >= shortestMasked) for (const form of spellings(part)) texts.add(form);
    }
  }
  return [...texts]
    .filter((text) => text.length >= shortestMasked)
    .map((text) => ({ text, needed: Math.min(text.length, Math.max(8, Math.min(mostNeeded, text.length >> 1))) }));
}

/** Yields spellings that decoding escapes (secret-views.ts) does not find. */
function* spellings(value: string): Iterable<string> {
  yield value;
  if (value.includes(" ")) yield value.replaceAll(" ", "+");
  yield* urlSpellings(value);
  const inJson = JSON.stringify(value).slice(1, -1);
  for (const written of new Set([value, inJson, encodeURIComponent(value)])) yield* encoded(written);
}

function* encoded(written: string): Iterable<string> {
  const bytes = Buffer.from(written);
  yield bytes.toString("hex");
  yield bytes.toString("hex").toUpperCase();
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replaceAll("=", "");
    // The characters that depend on the value alone.
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    yield own;
    yield own.replaceAll("+", "-").replaceAll("/", "_");
  }
}

/** A shorter part of a URL would occur in ordinary text. */
const shortestPart = 8;

/**
 * Yields the spellings of a value that is a URL, or the beginning of one (`host`, `user:password@host/path`), after
 * parsing (WHATWG URL): the host in lower case and Punycode, no default port. Paths, queries and passwords also count
 * as values.
 */
function* urlSpellings(value: string): Iterable<string> {
  const whole = /^https?:\/\//i.test(value);
  const url = URL.parse(whole ? value : `http://${value}`);
  if (url === null) return;
  const { host, href, pathname, search, password } = url;
  yield whole ? href : href.slice("http://".length);
  // The host of a whole URL is rarely a secret.
  const parts = [whole ? "" : host, pathname + search, search.slice(1)];
  yield* parts.filter(({ length }) => length >= shortestPart);
  yield querystring.unescape(password);
}
