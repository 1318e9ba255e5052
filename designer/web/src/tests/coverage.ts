/** Which steps of a flow its tests come to. */

export interface Coverage {
  readonly covered: readonly string[];
  /** In the order of the flow. */
  readonly missing: readonly string[];
  /** By step id the names of the tests that come to it. */
  readonly by: ReadonlyMap<string, readonly string[]>;
}

/** `ran`: by the test's name the ids of the steps that its runs came to. */
export function coverageOf(stepIds: readonly string[], ran: ReadonlyMap<string, ReadonlySet<string>>): Coverage {
  const by = new Map(
    stepIds.map((id) => [id, [...ran].filter(([, steps]) => steps.has(id)).map(([name]) => name)] as const),
  );
  const isCovered = (id: string): boolean => (by.get(id) ?? []).length > 0;
  return { covered: stepIds.filter(isCovered), missing: stepIds.filter((id) => !isCovered(id)), by };
}
