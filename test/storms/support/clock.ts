/** A flow with a timer whose ticks can be followed in the log over all its replacements. */

/** Every `version` has the same timer. */
export function clockFlow(periodMs: number, version: number): string {
  return `
- route:
    id: clock
    from:
      uri: timer:clock?period=${periodMs}&delay=0&fixedRate=true&includeMetadata=true&overlap=allow
      steps:
        - log: "tick \${exchangeProperty.CamelTimerCounter} ${version}"
`;
}

export interface Ticks {
  readonly count: number;
  /** Ticks that are not one more than the one before. */
  readonly gaps: number;
  /** How far ticks are from where the first ones put them, in the median of the last hundred. */
  readonly phaseMs: number;
}

/** From lines of the log. */
export function readTicks(lines: readonly string[], periodMs: number): Ticks {
  const ticks = lines
    .filter((line) => line.includes('"tick '))
    .map((line) => JSON.parse(line) as { ts: string; message: string })
    .map(({ ts, message }) => ({ at: Date.parse(ts), number: Number(message.split(" ")[1]) }));
  // Two threads may log two ticks in either order.
  const numbers = ticks.map(({ number }) => number).sort((a, b) => a - b);
  const gaps = numbers.filter((number, i) => number !== i + 1).length;
  const origin = (tick: { at: number; number: number }): number => tick.at - tick.number * periodMs;
  const first = median(ticks.slice(0, 100).map(origin));
  return {
    count: ticks.length,
    gaps,
    phaseMs: median(ticks.slice(-100).map((tick) => Math.abs(origin(tick) - first))),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
