/** Headers, properties and variables as plain objects: copies, so that nobody writes into the exchange through them. */
export function snapshot(
  entries: Iterable<readonly [name: string, value: unknown]>,
): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) copy[name] = value ?? null;
  return copy;
}
