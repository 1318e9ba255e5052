/** Finds the value of a key in text that may be JSON, a form, a printed map, XML, or any of these inside another. */

interface Part {
  readonly from: number;
  readonly to: number;
}

/** From the end of a key in quotes to its value; the quotes may be escaped, or URL-encoded. */
const behindQuoted =
  /(?:\\|%5C)*(?:["']|%22|%27)\]?(?:\s|\+|%20|%0[9AD])*(?::=?|={1,3}>?|%3A|%3D)(?:\s|\+|%20|%0[9AD])*/iy;
/** The same for a bare key; `user[password]=` and `tokens[0]=` nest names in forms. */
const behindBare = /(?:\[\d*\]|\]|%5B\d*%5D|%5D)*(?:[ \t]|%20)*(?::=?|={1,3}>?|%3A|%3D)(?:[ \t]|\+|%20)*/iy;
/** The text before the secret word in an opening tag, and in a parameter of a query or form. */
const tagBegin = /<[\w.:-]*$/;
const formKey = /[?&][\w.%[\]-]*$/;
const tagEnd = /(?:\s[^<>]*)?>/y;
const cdata = "<![CDATA[";

const keyCharacters = /[\w-]*/y;
const escapes = /(?:\\|%5C)*/iy;
const lineOrMap = /[^\n\r}]*/y;
const bareWord = /[^\s"<>&]*/y;
const blanks = /[ \t]*/y;
/** Characters that may belong to the text around a bare value rather than to the value. */
const closing = ",;)}]'\\";

/**
 * Returns the part to hide for a secret word at `from` to `wordEnd`. `keyEnd`: where its key ends; `value` undefined:
 * it is not a key. The value excludes its quotes; an unclosed one reaches to the end (the text may be cut).
 * `withSpaces`: a bare value ends with the line.
 */
export function hiddenPart(
  text: string,
  from: number,
  wordEnd: number,
  withSpaces: boolean,
): { readonly keyEnd: number; readonly value: Part | undefined } {
  const keyEnd = endOf(keyCharacters, text, wordEnd) ?? wordEnd;
  const quoted = endOf(behindQuoted, text, keyEnd);
  const start = quoted ?? endOf(behindBare, text, keyEnd);
  if (start !== undefined) {
    const parameter = quoted === undefined && formKey.test(textBefore(text, from));
    const to = parameter ? (endOf(bareWord, text, start) ?? start) : undefined;
    return { keyEnd, value: to === undefined ? valueAt(text, start, withSpaces) : { from: start, to } };
  }
  const content = tagBegin.test(textBefore(text, from)) ? endOf(tagEnd, text, keyEnd) : undefined;
  if (content === undefined || text.charAt(content - 2) === "/") return { keyEnd, value: undefined };
  const marked = text.startsWith(cdata, content);
  const begin = marked ? content + cdata.length : content;
  return { keyEnd, value: { from: begin, to: indexOr(text.length, text.indexOf(marked ? "]]>" : "<", begin)) } };
}

function valueAt(text: string, at: number, withSpaces: boolean): Part {
  const open = endOf(escapes, text, at) ?? at;
  const first = text.charAt(open);
  if (first === '"' || first === "'") return { from: open + 1, to: closingQuote(text, open, open - at) };
  if (text.startsWith("%22", open)) return { from: open + 3, to: closingEncodedQuote(text, open + 3, open - at) };
  if (first === "{" || first === "[") return { from: open, to: closingBracket(text, open) };
  return { from: at, to: withSpaces ? (endOf(lineOrMap, text, at) ?? at) : endOfBare(text, at) };
}

/** Returns the end of an unquoted value; `Bearer x` is one. */
function endOfBare(text: string, at: number): number {
  let end = endOf(bareWord, text, at) ?? at;
  if (/^(?:bearer|basic|digest)$/i.test(text.slice(at, Math.min(end, at + 8)))) {
    end = endOf(bareWord, text, endOf(blanks, text, end) ?? end) ?? end;
  }
  while (end > at && closing.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/**
 * Returns the index of the quote that closes the one at `open`, which has `escaped` backslashes before it (JSON in
 * JSON), or the text's end.
 */
function closingQuote(text: string, open: number, escaped: number): number {
  const quote = text.charAt(open);
  let run = 0;
  for (let i = open + 1; i < text.length; i++) {
    const here = text.charAt(i);
    if (here === quote && (escaped === 0 ? run % 2 === 0 : run <= escaped)) return i - (escaped === 0 ? 0 : run);
    run = here === "\\" ? run + 1 : 0;
  }
  return text.length;
}

/** The same for `%22`; `escaped`: characters of `%5C` before the opening one. */
function closingEncodedQuote(text: string, from: number, escaped: number): number {
  for (let i = text.indexOf("%22", from); i >= 0; i = text.indexOf("%22", i + 3)) {
    let begin = i;
    while (begin - 3 >= from && /^%5c$/i.test(text.slice(begin - 3, begin))) begin -= 3;
    const run = i - begin;
    if (escaped === 0 ? (run / 3) % 2 === 0 : run <= escaped) return escaped === 0 ? i : begin;
  }
  return text.length;
}

function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const here = text.charAt(i);
    if (here === '"') i = closingQuote(text, i, 0);
    else if (here === "{" || here === "[") depth += 1;
    else if (here === "}" || here === "]") {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

/** Returns as much of the text before `at` as a name can have: looking further back would make long words expensive. */
function textBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 64), at);
}

/** Returns where the match of a sticky expression at this place ends; undefined when there is none. */
function endOf(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}

function indexOr(otherwise: number, index: number): number {
  return index < 0 ? otherwise : index;
}
