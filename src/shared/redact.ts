/**
 * Hides secrets in text before it leaves a worker: log lines, previews, error messages. Linear in the text's length.
 */
import { hiddenPart } from "./redact-value.ts";

/** The text that replaces a hidden value. */
export const hidden = "***";

/** A value that is hidden already, and not one that only begins like it. */
const hiddenBefore = /\*{3}(?![^\s"'<>&,;)}\]\\])/y;

const word =
  "passw(?:or)?d|passphrase|pwd|secret|token|bearer|(?:api|access|account|private|signing|encryption)[ _-]?key|authorization|credential|cookie";
const present = new RegExp(`${word}|basic`, "i");
const secretWord = new RegExp(word, "gi");
/** Names whose unquoted value has spaces: it ends with the line, or with the printed map. */
const spaced = /authorization$|cookie$/i;

const scheme = /\b(bearer|basic)(\s+|\+|%20)([\w.~+/=%-]{4,})/gi;
/** Words behind `Bearer` in a text about bearers. */
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
  // Most names are not, and this is checked for each: `matchAll` begins with a copy of its pattern.
  if (!present.test(name)) return false;
  for (const match of name.matchAll(secretWord)) if (endsWord(name, match.index + match[0].length)) return true;
  return false;
}

/** Returns a header's value as it may be shown. */
export function redactHeader(name: string, value: string): string {
  return isSecretName(name) ? hidden : redact(value);
}

/**
 * Returns the text with these replaced by `***`: the values of secret keys (`"password": "x"`, `token=x`, `api_key: x`,
 * `<password>x</password>`; JSON inside JSON and URL-encoded too), what follows `Bearer` and `Basic`, and passwords in
 * URIs. Other text is returned as it is. It cannot recognize a secret without such a name beside it.
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
 * Hides the password of `https://user:password@host`, also URL-encoded. No two authorities overlap, so each is searched
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
