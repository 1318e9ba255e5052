/** Values of databases as messages have them: what is exact stays exact, and texts are those that Java prints. */
import { maxDigits, readWhole } from "../../shared/whole-numbers.ts";
import { JsonText } from "../engine/message.ts";
import { parseJson } from "../engine/parse-json.ts";

/** A whole number of any size: a number up to 2^53, a bigint beyond. */
export function wholeValue(text: string): number | bigint {
  return readWhole(text);
}

const whole = /^-?\d+$/;

/** A decimal: a number if that has all its digits, a bigint for a whole one, otherwise its text. */
export function decimalValue(text: string): number | bigint | string {
  if (whole.test(text)) return text.length > maxDigits ? text : readWhole(text);
  const number = Number(text);
  return digitsOf(String(number)) === digitsOf(text) ? number : text;
}

/** The digits of a decimal without those that do not count. */
function digitsOf(text: string): string {
  if (text.includes("e") || text.includes("N") || text.includes("I")) return text;
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** `2024-01-02 03:04:05.0`, as Java prints a Timestamp. `text`: with a blank or a `T`, with or without fractions. */
export function timestampText(text: string): string {
  const [, day, time] = /^([\d-]+)[ T]([\d:.]+)$/.exec(text) ?? [];
  // Infinity, and years before Christ.
  if (day === undefined || time === undefined) return text;
  const [clock = "", fraction = ""] = time.split(".");
  return `${day} ${clock}.${fraction.replace(/0+$/, "") || "0"}`;
}

/** JSON that prints as its text, and is read as its value. */
export function jsonValue(text: string): JsonText {
  return new JsonText(text, parseJson(text));
}
