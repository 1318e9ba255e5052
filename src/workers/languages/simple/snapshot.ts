/** Copies headers, properties or variables to plain objects, so that a reader cannot change the exchange. */
export function snapshot(
  entries: Iterable<readonly [name: string, value: unknown]>,
): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) copy[name] = value ?? null;
  return copy;
}
