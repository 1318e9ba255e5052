/** Finds runs that wait for each other's connections. */
import type { ConnectionPlaces, PlaceRequest, RunKey } from "./places.ts";

/**
 * Returns requests that can never be granted, because all places of their connections belong to runs that wait in the same
 * way. Every other run is assumed to end and to give back what it has; the runs that this lets go on are assumed to end,
 * too, until nothing changes any more.
 */
export function findStuck(all: Iterable<ConnectionPlaces>): readonly (readonly [ConnectionPlaces, PlaceRequest])[] {
  const waiting = [...all].flatMap((places) =>
    places.waiting.flatMap((asked) => (asked.held.size === 0 ? [] : [[places, asked] as const])),
  );
  const held = new Map<RunKey, ReadonlyMap<ConnectionPlaces, number>>();
  for (const [, { run, held: has }] of waiting) if (run !== undefined) held.set(run, has);
  const free = (places: ConnectionPlaces): boolean => {
    let taken = 0;
    for (const has of held.values()) taken += has.get(places) ?? 0;
    return taken < places.most;
  };
  let left = waiting;
  for (;;) {
    const stuck = left.filter(([places]) => !free(places));
    if (stuck.length === left.length) return stuck;
    // A run may wait in several of its branches: it ends when all of them go on.
    const runs = new Set(stuck.map(([, { run }]) => run));
    for (const [, { run }] of left) if (run !== undefined && !runs.has(run)) held.delete(run);
    left = stuck;
  }
}
