/**
 * Hides secrets in text before it leaves a worker: log lines, previews, error messages. Linear in the text's length.
 */

import type { Mask } from "./secret-mask.ts";

/** The text that replaces a hidden value. */
export const hidden = "***";

/** A hidden value, but not a value that only begins like one. */
const hiddenBefore = /\*{3}(?![^\s"'<>&,;)}\]\\])/y;

const word =
  "passw(?:or)?d|passphrase|pwd|secret|token|bearer|(?:api|access|account|private|signing|encryption)[ _-]?key|authorization|credential|cookie";
const present = new RegExp(`${word}|basic`, "i");
const secretWord = new RegExp(word, "gi");
/** Names whose unquoted value may contain spaces: it ends with the line, or with the printed map. */
const spaced = /authorization$|cookie$/i;

const scheme = /\b(bearer|basic)(\s+|\+|%20)([\w.~+/=%-]{4,})/gi;
/** Words that follow `Bearer` in a text about bearers. */
const aboutBearers = /^(?:tokens?|auth|authenti\w+|authori\w+|credentials?|schemes?)[.]?$/i;
const plainWords = /^[A-Za-z]?[a-z]*(?:[-./][a-z]*)*$|^[A-Z]+$/;

const authority = /(:|%3A)(?:\/|\\\/|%2F){2}/gi;
/** Characters that end a URI's user, password and host (RFC 3986, 3.2). */
const authorityEnd = /[/?#\s"<>\\^`{|}]/g;
const encodedAuthorityEnd = /%2F|%3F|%23|[\s"<>\\^`{|}&]/gi;
/**
 * An endpoint's normal form has no `//`: `http:user:password@host`. Bounded, so that no two matches search the same
 * text.
 */
const endpointPassword = /\b(https?:[^\s/:@?#"<>]{1,256}:)[^\s/?#"<>]{1,256}@/gi;

/** Whether a key, header or parameter of this name has a secret value: `client_secret`, `accessToken`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  // A quick check first: most names are not secret, and `matchAll` begins with a copy of its pattern.
  if (!present.test(name)) return false;
  for (const match of name.matchAll(secretWord)) if (endsWord(name, match.index + match[0].length)) return true;
  return false;
}

/** Returns a header's value as it may be shown. */
export function redactHeader(name: string, value: string): string {
  return isSecretName(name) ? hidden : redact(value);
}

/**
 * Replaces by `***`: the values of secret keys (`"password": "x"`, `token=x`, `api_key: x`, `<password>x</password>`;
 * JSON inside JSON and URL-encoded too), the credentials after `Bearer` and `Basic`, and passwords in URIs. Other text
 * is returned unchanged. A secret without such a name next to it is not recognized.
 */
export function redact(text: string): string {
  const shown = redactUris(text);
  return present.test(shown) ? redactKeys(shown).replace(scheme, withoutCredentials) : shown;
}

function redactKeys(text: string): string {
  let result = "";
  let copied = 0;
  secretWord.lastIndex = 0;
  for (let match = secretWord.exec(text); match !== null; match = secretWord.exec(text)) {
    const wordEnd = match.index + match[0].length;
    if (!endsWord(text, wordEnd)) continue;
    const { keyEnd, value } = hiddenPart(text, match.index, wordEnd, spaced.test(match[0]));
    secretWord.lastIndex = keyEnd;
    if (value === undefined) continue;
    hiddenBefore.lastIndex = value.from;
    if (hiddenBefore.test(text)) continue;
    if (value.to > value.from) {
      result += text.slice(copied, value.from) + hidden;
      copied = value.to;
    }
    secretWord.lastIndex = value.to;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/**
 * Whether the secret word ends here (`tokens`, `tokenValue`, `token_2`), or begins another word (`tokenizer`,
 * `secretary`).
 */
function endsWord(text: string, at: number): boolean {
  const next = text.charAt(at) === "s" ? text.charAt(at + 1) : text.charAt(at);
  return !/^[a-z]/.test(next) || isUpper(text.charAt(at - 1));
}

function isUpper(character: string): boolean {
  return character >= "A" && character <= "Z";
}

/** "basic training" stays: the credentials of Basic are base64 of a text with a colon (RFC 7617). */
function withoutCredentials(whole: string, name: string, space: string, value: string): string {
  const stays =
    name.toLowerCase() === "basic"
      ? plainWords.test(value) && !Buffer.from(value, "base64").includes(":")
      : aboutBearers.test(value);
  return stays ? whole : `${name}${space}${hidden}`;
}

/**
 * Hides the password of `https://user:password@host`, also URL-encoded. Authorities do not overlap, so each is searched
 * once.
 */
function redactUris(given: string): string {
  if (!given.includes("@") && !given.includes("%40")) return given;
  const text = given.replace(endpointPassword, `$1${hidden}@`);
  let result = "";
  let copied = 0;
  for (const match of text.matchAll(authority)) {
    const from = match.index + match[0].length;
    const raw = match[1] === ":";
    const ends = raw ? authorityEnd : encodedAuthorityEnd;
    ends.lastIndex = from;
    const part = text.slice(from, ends.exec(text)?.index);
    const at = part.lastIndexOf(raw ? "@" : "%40");
    const colon = raw ? part.indexOf(":") : part.search(/%3A/i);
    const password = from + colon + (raw ? 1 : 3);
    if (colon < 0 || at < 0 || password >= from + at || password < copied) continue;
    result += text.slice(copied, password) + hidden;
    copied = from + at;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

interface Part {
  readonly from: number;
  readonly to: number;
}

/** The text between a quoted key and its value; the quotes may be escaped or URL-encoded. */
const behindQuoted =
  /(?:\\|%5C)*(?:["']|%22|%27)\]?(?:\s|\+|%20|%0[9AD])*(?::=?|={1,3}>?|%3A|%3D)(?:\s|\+|%20|%0[9AD])*/iy;
/** As above for a bare key; forms nest names as in `user[password]=` and `tokens[0]=`. */
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

/** As closingQuote, for `%22`; `escaped`: characters of `%5C` before the opening one. */
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

/** Returns the text before `at`, up to the length of a name, since reading further would make long words expensive. */
function textBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 64), at);
}

/** Returns where the match of a sticky expression at this position ends; undefined without a match. */
function endOf(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}

function indexOr(otherwise: number, index: number): number {
  return index < 0 ? otherwise : index;
}

/** Returns the text without secrets, cut to about `most` characters; a note at the end then has its length. */
export function shownText(text: string, mask: Mask, most: number): string {
  const shown = redact(mask(text, most));
  if (text.length <= most && shown.length <= most) return shown;
  return `${shown.slice(0, most)}... (${text.length} characters)`;
}

/** Returns an error's message like shownText, but without the note. */
export function shownError(text: string, mask: Mask, most: number): string {
  return redact(mask(text, most));
}
