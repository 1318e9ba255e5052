/**
 * Bounds JSON.parse, a native call that no limit of time or memory can interrupt: the memory of its value is estimated
 * first, in about a hundredth of the time of parsing.
 */
import { parseExactly } from "../../shared/exact-json.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import { LongNumberError } from "../../shared/whole-numbers.ts";
import { FlowException, limitExceeded } from "./exception.ts";

/** Bytes of memory for a list or an object, for a place in one, and for a text in addition to its characters. */
const ofList = 56;
const ofObject = 32;
const ofPlace = 8;
const ofText = 16;
/** The most bytes that one character of JSON makes: `[[[[`. */
const mostPerCharacter = ofList;

/** The share of a thread's memory that the values of one document may take. */
const share = 0.75;

let most = share * defaultLimits.workerMemoryBytes;

/** Sets the limits for the thread, which has one flow. */
export function boundJson({ workerMemoryBytes }: Pick<Limits, "workerMemoryBytes">): void {
  most = share * workerMemoryBytes;
}

/**
 * Returns the value, with whole numbers beyond 2^53 as bigint. Throws LimitExceededException for a document whose
 * values would exceed the thread's memory, StreamConstraintsException for a number that is too long (Jackson), and the
 * errors of JSON.parse.
 */
export function parseJson(text: string): unknown {
  checkJson(text);
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof LongNumberError) throw new FlowException(tooLongNumber, error.message);
    throw error;
  }
}

const tooLongNumber = "com.fasterxml.jackson.core.exc.StreamConstraintsException";

function checkJson(text: string): void {
  if (text.length * mostPerCharacter > most && bytesOf(text) > most) {
    const bound = `the values of a JSON document take at most ${Math.floor(most)} bytes of memory, by estimate`;
    throw limitExceeded("workerMemoryBytes", bound);
  }
}

/** Counts until slightly above `most`. Counts characters whether or not the text is JSON. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= most; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfText(text, at);
        // A name is stored once for all objects that have it.
        const isName = text.charCodeAt(end + 1) === 0x3a;
        bytes += isName ? ofPlace : ofText + end - at;
        at = end;
        break;
      }
      case 0x5b:
        bytes += ofList;
        break;
      case 0x7b:
        bytes += ofObject;
        break;
      case 0x2c:
      case 0x3a:
        bytes += ofPlace;
    }
  }
  return bytes;
}

/** Returns the index of the closing quote, or the text's end. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
  return slashes % 2 === 1;
}
