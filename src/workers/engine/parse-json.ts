/**
 * JSON.parse is one native call, into which no limit of time or memory reaches: how much its value will take is estimated before, in
 * about a hundredth of the time that it takes.
 */
import { parseExactly } from "../../shared/exact-json.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import { LongNumberError } from "../../shared/whole-numbers.ts";
import { FlowException, limitExceeded } from "./exception.ts";

/** Bytes of memory for one of each: a list or an object as such, its place for one more value, a text beside its characters. */
const ofList = 56;
const ofObject = 32;
const ofPlace = 8;
const ofText = 16;
/** The most that one character of JSON makes: `[[[[`. */
const mostPerCharacter = ofList;

/** Of a thread's memory, what the values of one document may take. */
const share = 0.75;

let most = share * defaultLimits.workerMemoryBytes;

/** A thread has one flow; its limits hold from here on. */
export function boundJson({ workerMemoryBytes }: Pick<Limits, "workerMemoryBytes">): void {
  most = share * workerMemoryBytes;
}

/**
 * The value, with whole numbers beyond 2^53 as bigint. Throws LimitExceededException for a document whose values would fill the
 * thread's memory, StreamConstraintsException for a number that is too long (Jackson), else what JSON.parse throws.
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

/** Counts no further than a little above `most`. Signs are counted, whether or not the text is JSON. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= most; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfText(text, at);
        // A name is kept once for all objects that have it.
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

/** The index of the closing quote, or the text's end. */
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
