/** Functions on text, and the tests of text. Without an argument they read the body. */
import { type FunctionDocs, row } from "./row.ts";

const hello = { body: "Hello World" };

// biome-ignore format: a table, with a function a line
export const textDocs: readonly FunctionDocs[] = [
  row("trim(exp)", "The text without blanks, tabs and line breaks at both ends.", "${trim()}", { body: " a b " }, "a b"),
  row("uppercase(exp)", "The text in capital letters.", "${uppercase()}", hello, "HELLO WORLD"),
  row("lowercase(exp)", "The text in small letters.", "${lowercase()}", hello, "hello world"),
  row("capitalize(exp)", "Each word with a capital letter.", "${capitalize()}", { body: "hello world" }, "Hello World"),
  row("normalizeWhitespace(exp)", "Trims the text, and leaves the first of several white spaces in a row.", "${normalizeWhitespace()}", { body: " a   b " }, "a b"),
  row("length(exp)", "The number of bytes of a text (UTF-8) or of bytes.", "${length()}", hello, 11),
  row("quote(exp)", "The text in double quotes.", "${quote()}", { body: "a" }, '"a"'),
  row("unquote(exp)", "The text without the quotes around it.", "${unquote()}", { body: "'a'" }, "a"),
  row("safeQuote(exp)", "Texts in double quotes; numbers and booleans without.", "${safeQuote()}", { body: "a" }, '"a"'),
  row("substring(head,tail,exp)", "Drops so many characters at the beginning and at the end; a negative number alone counts from the end.", "${substring(6)}", hello, "World"),
  row("substringBefore(exp,text)", "The part before the text; null where it does not occur.", "${substringBefore(' ')}", hello, "Hello"),
  row("substringAfter(exp,text)", "The part behind the text; null where it does not occur.", "${substringAfter(' ')}", hello, "World"),
  row("substringBetween(exp,after,before)", "The part between two texts.", "${substringBetween('[',']')}", { body: "a [b] c" }, "b"),
  row("contains(exp,text)", "Whether the text occurs, in capital or small letters.", "${contains('world')}", hello, true),
  row("replace(from,to,exp)", "Replaces each occurrence. `&quot;`, `&lt;`, `&empty;` and the like stand for characters that cannot be written.", "${replace(World,You)}", hello, "Hello You"),
  row("concat(exp,exp,separator)", "Joins two texts; a null one is left out with the separator.", "${concat(${body},x,-)}", { body: "a" }, "a-x"),
  row("pad(exp,width,separator)", "Fills the text up to a width, on the right; with a negative width on the left. A separator is not cut.", "${pad(${body},-5,0)}", { body: "17" }, "00017"),
  row("split(exp,separator)", "Cuts a text into a list; the separator is a comma unless it is given.", "${split(;)}", { body: "a;b" }, ["a", "b"]),
  row("join(separator,prefix,exp)", "Makes a text of a list, with a separator, and a prefix before each element.", "${join(&,id=)}", { body: ["1", "2"] }, "id=1&id=2"),
  row("isAlpha(exp)", "Whether the text has letters alone.", "${isAlpha()}", { body: "abc" }, true),
  row("isNumeric(exp)", "Whether the text has digits alone.", "${isNumeric()}", { body: "12a" }, false),
  row("isAlphaNumeric(exp)", "Whether the text has letters and digits alone.", "${isAlphaNumeric()}", { body: "12a" }, true),
  row("hash(exp,algorithm)", "The hash of the value in hexadecimal: SHA-256, or the algorithm that is named.", "${hash(${body},MD5)}", { body: "a" }, "0cc175b9c0f1b6a831c399e269772661"),
  row("base64Encode(exp)", "The value in Base64.", "${base64Encode()}", { body: "Ada" }, "QWRh"),
  row("base64Decode(exp)", "The bytes of a text in Base64.", "${base64Decode()}", { body: "QWRh" }, new Uint8Array([65, 100, 97])),
  row("uuid(type)", "A new id: `default`, `short`, `simple` (a counter), `classic` or `random`.", "${uuid(random)}", {}, /^[0-9a-f]{8}-[0-9a-f-]{27}$/),
];
