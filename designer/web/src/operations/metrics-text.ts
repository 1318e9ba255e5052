/** Reads the Prometheus text format, as `GET /_api/metrics` answers it. */
export interface Measured {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Metrics = ReadonlyMap<string, readonly Measured[]>;

const line = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \S+)?$/;
const label = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

/** @returns the values by the name of their series; lines that are none are left out */
export function readMetrics(text: string): Metrics {
  const metrics = new Map<string, Measured[]>();
  for (const one of text.split("\n")) {
    if (one.startsWith("#")) continue;
    const [, name, labels = "", value = ""] = line.exec(one) ?? [];
    if (name === undefined) continue;
    const measured = { labels: labelsOf(labels), value: numberOf(value) };
    const before = metrics.get(name);
    if (before === undefined) metrics.set(name, [measured]);
    else before.push(measured);
  }
  return metrics;
}

/** The value of a series, the sum where there are several; undefined: the runtime does not have it. */
export function sumOf(
  metrics: Metrics,
  name: string,
  wanted: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = metrics
    .get(name)
    ?.filter(({ labels }) => Object.entries(wanted).every(([key, value]) => labels[key] === value));
  return found === undefined || found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

function labelsOf(text: string): Record<string, string> {
  const escapes: Readonly<Record<string, string>> = { "\\n": "\n", '\\"': '"', "\\\\": "\\" };
  return Object.fromEntries(
    [...text.matchAll(label)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll(/\\[n"\\]/g, (escaped) => escapes[escaped] ?? escaped),
    ]),
  );
}

function numberOf(text: string): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  return text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text);
}
