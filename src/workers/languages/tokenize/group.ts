/** Parts taken several at a time (Camel: GroupTokenIterator, SkipIterator). */

export function skipFirst(parts: Iterator<string>): Iterator<string> {
  parts.next();
  return parts;
}

export function* grouped(parts: Iterator<string>, count: number, delimiter: string): Generator<string> {
  for (let group: string[] = []; ; group = []) {
    while (group.length < count) {
      const { done, value } = parts.next();
      if (done) break;
      group.push(value);
    }
    if (group.length === 0) return;
    yield group.join(delimiter);
    if (group.length < count) return;
  }
}
