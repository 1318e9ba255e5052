/** Parts taken several at a time (Camel: GroupTokenIterator, SkipIterator). */
import { limitExceeded } from "../../engine/limit-exceeded.ts";

export function skipFirst(parts: Iterator<string>): Iterator<string> {
  parts.next();
  return parts;
}

/** Throws LimitExceededException for a group of more than `most` characters. */
export function* grouped(parts: Iterator<string>, count: number, delimiter: string, most: number): Generator<string> {
  for (let group: string[] = []; ; group = []) {
    let length = 0;
    while (group.length < count) {
      const { done, value } = parts.next();
      if (done) break;
      length += value.length + delimiter.length;
      if (length > most) throw limitExceeded("messageBodyBytes", `a group of parts has at most ${most} characters`);
      group.push(value);
    }
    if (group.length === 0) return;
    yield group.join(delimiter);
    if (group.length < count) return;
  }
}
