/** What stands between a start token and an end token (Camel: TokenPairExpressionIterator). */

/** The walk ends at the first end token without a start token before it; the last end token may be missing. */
export function* pairsOf(text: string, start: string, end: string, includeTokens: boolean): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const close = text.indexOf(end, at);
    const until = close < 0 ? text.length : close;
    const open = text.indexOf(start, at);
    if (open < 0 || open + start.length > until) return;
    const inner = text.slice(open + start.length, until);
    yield includeTokens ? start + inner + end : inner;
    at = until + end.length;
  }
}
