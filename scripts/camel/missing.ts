/**
 * Why a name in Camel's catalogue is neither taken nor refused, by that name: `pad(exp,width)` of simple, `loop.copy` of a step.
 * A test rejects a missing name without a reason, and a reason for a name that is not missing.
 */
export const missingReasons: ReadonlyMap<string, string> = new Map<string, string>([]);
