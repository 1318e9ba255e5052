/** Takes secrets out of text before it leaves a worker: log lines, previews, error messages. Linear in the text's length. */

/** What a hidden value is replaced by. */
export const hidden = "***";

/** Headers whose value is never shown (api.md 6). */
const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "proxy-authorization",
]);

const word =
  "passw(?:or)?d|passphrase|pwd|secret|token|api[ _-]?key|access[_-]?key|private[_-]?key|authorization|credential|cookie";
const present = new RegExp(`${word}|bearer|basic`, "i");
const secretWord = new RegExp(word, "gi");
const scheme = /\b(bearer|basic)(\s+)([\w.~+/=-]{4,})/gi;
/** Names whose unquoted value has spaces: it ends with the line, or with the map that prints it. */
const spaced = /authorization$|cookie$/i;

/** Whether values of a key, header or parameter of this name are secrets: `client_secret`, `accessToken`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  if (secretHeaders.has(name.toLowerCase())) return true;
  for (const match of name.matchAll(secretWord)) if (endsWord(name, match.index + match[0].length)) return true;
  return false;
}

/** A header's value as it may be shown. */
export function redactHeader(name: string, value: string): string {
  return isSecretName(name) ? hidden : redact(value);
}

/**
 * The text with the values of secret keys (`"password": "x"`, `token=x`, `api_key: x`, JSON inside JSON too) and of
 * `Bearer x` and `Basic x` replaced by `***`. Text without such words is returned as it is.
 */
export function redact(text: string): string {
  if (!present.test(text)) return text;
  return redactKeys(text).replace(scheme, `$1$2${hidden}`);
}

function redactKeys(text: string): string {
  let result = "";
  let copied = 0;
  secretWord.lastIndex = 0;
  for (let match = secretWord.exec(text); match !== null; match = secretWord.exec(text)) {
    const wordEnd = match.index + match[0].length;
    if (!endsWord(text, wordEnd)) continue;
    const keyEnd = skip(text, wordEnd, isKeyCharacter);
    secretWord.lastIndex = keyEnd;
    const start = valueStart(text, keyEnd);
    if (start < 0) continue;
    if (text.startsWith(hidden, start)) continue;
    const [from, to] = valueRange(text, start, spaced.test(match[0]));
    if (to > from) {
      result += text.slice(copied, from) + hidden;
      copied = to;
    }
    secretWord.lastIndex = to;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** Whether the secret word ends here (`tokens`, `tokenValue`, `token_2`), or is the beginning of another (`tokenizer`, `secretary`). */
function endsWord(text: string, at: number): boolean {
  const next = text.charAt(at) === "s" ? text.charAt(at + 1) : text.charAt(at);
  return !/^[a-z]/.test(next) || isUpper(text.charAt(at - 1));
}

/** Where the value of the key that ends at `at` begins; -1 when it is no key. */
function valueStart(text: string, at: number): number {
  let i = skip(text, at, isEscape);
  if (text.charAt(i) === '"' || text.charAt(i) === "'") i += 1;
  i = skip(text, i, isSpace);
  if (text.startsWith("%3D", i) || text.startsWith("%3d", i)) return i + 3;
  if (text.charAt(i) !== ":" && text.charAt(i) !== "=") return -1;
  i += text.charAt(i + 1) === ">" ? 2 : 1;
  return skip(text, i, isSpace);
}

/** The part of the text that is the value at `at`, without its quotes; an unclosed one reaches to the end (the text may be cut). */
function valueRange(text: string, at: number, withSpaces: boolean): readonly [from: number, to: number] {
  const open = skip(text, at, isEscape);
  const first = text.charAt(open);
  if (first === '"' || first === "'") return [open + 1, closingQuote(text, open, open - at)];
  if (first === "{" || first === "[") return [open, closingBracket(text, open)];
  return [at, withSpaces ? skip(text, at, isInLine) : endOfWord(text, at)];
}

/** The end of an unquoted value; `Bearer x` is one. */
function endOfWord(text: string, at: number): number {
  const end = skip(text, at, isInValue);
  return /^(bearer|basic|digest)$/i.test(text.slice(at, Math.min(end, at + 8)))
    ? skip(text, skip(text, end, isSpace), isInValue)
    : end;
}

/** The index of the quote that closes the one at `open`, which has `escapes` backslashes before it (JSON in JSON), or the text's end. */
function closingQuote(text: string, open: number, escapes: number): number {
  const quote = text.charAt(open);
  let run = 0;
  for (let i = open + 1; i < text.length; i++) {
    const here = text.charAt(i);
    if (here === quote && (escapes === 0 ? run % 2 === 0 : run <= escapes)) return i - (escapes === 0 ? 0 : run);
    run = here === "\\" ? run + 1 : 0;
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

function skip(text: string, at: number, test: (code: number) => boolean): number {
  let i = at;
  while (i < text.length && test(text.charCodeAt(i))) i += 1;
  return i;
}

function isUpper(character: string): boolean {
  return character >= "A" && character <= "Z";
}

function isKeyCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 45
  );
}

function isEscape(code: number): boolean {
  return code === 92;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

const valueEnds: ReadonlySet<number> = new Set([..." \t\r\n,;&}])\"'<>"].map((character) => character.charCodeAt(0)));

function isInValue(code: number): boolean {
  return !valueEnds.has(code);
}

/** Up to the end of the line, or of the map that prints it. */
function isInLine(code: number): boolean {
  return code !== 10 && code !== 13 && code !== 125;
}
