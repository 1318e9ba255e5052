/**
 * What a flow's thread asks of the state store, and how its flow declares it. Control knows the flow, and so the owner, from the port that a
 * request came by; a name has to be one that the flow's manifest declares.
 */

export const repositoryKinds = ["idempotent", "aggregation"] as const;
export type RepositoryKind = (typeof repositoryKinds)[number];

/** A repository of the state store that a flow uses. */
export interface StateUse {
  readonly kind: RepositoryKind;
  /** The bean's name, the step's id, or one that the component makes. */
  readonly name: string;
  readonly routeId: string;
  /** "": the route's `from`. */
  readonly stepId: string;
  /** true: at its bound the oldest keys make room, in place of new ones being refused. */
  readonly evicts: boolean;
}

/** The operations that a thread may ask for; `control/state/operations.ts` describes them. */
export const stateOperations = ["claim", "look", "confirm", "release"] as const;
export type StateOperation = (typeof stateOperations)[number];

/** The most requests of a thread that are not answered. A thread that has as many waits. */
export const mostAsked = 256;

/** The most characters of a repository's name. */
export const longestStateName = 256;
/** A name is a segment of a path in the management API. */
export const stateNamePattern = "^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]+$";
const stateName = new RegExp(stateNamePattern, "u");

/** Returns why a text cannot be the name of a repository; undefined: it can. */
export function stateNameProblem(name: string): string | undefined {
  if (name.trim() !== "" && name.length <= longestStateName && stateName.test(name) && name.isWellFormed())
    return undefined;
  return `the name of a repository has 1 to ${longestStateName} characters, no slashes and no control characters`;
}

const longestKey = 256;

/**
 * Returns the form in which a key is kept: `=` and the text, or `#` and a digest for a long text, and for one that UTF-8 cannot represent.
 * Two texts have two forms.
 */
export function stateKey(text: string): string {
  if (text.length <= longestKey && text.isWellFormed() && !text.includes("\0")) return `=${text}`;
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `#${createHash("sha256").update(text, "utf16le").digest("base64url")}`;
}

export const longestStateKey = longestKey + 1;
