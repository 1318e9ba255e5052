/**
 * What a flow's thread asks of the state store, and how its flow declares it. Control knows the flow, and so the owner, from the port that a
 * request came by; a name has to be one that the flow's manifest declares.
 */
import type { WireError } from "./protocol.ts";

export const repositoryKinds = ["idempotent", "aggregation", "values"] as const;
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
  /** Of an aggregation: what its step makes of messages. Groups of another one cannot be continued. */
  readonly fingerprint?: string;
}

/** What a thread may ask about keys of an idempotent repository; `control/state/operations.ts` describes it. */
export const keyOperations = ["claim", "look", "confirm", "release"] as const;
export type KeyOperation = (typeof keyOperations)[number];

/** What a thread may ask about values of keys; `control/state/operations.ts` describes it. */
export const valueOperations = ["get", "putIf", "delete"] as const;
export type ValueOperation = (typeof valueOperations)[number];

export const stateOperations = [...keyOperations, ...valueOperations] as const;
export type StateOperation = (typeof stateOperations)[number];

/** Returns the kind of repository that an operation is for. */
export function repositoryKindOf(operation: StateOperation): RepositoryKind {
  return (keyOperations as readonly StateOperation[]).includes(operation) ? "idempotent" : "values";
}

/** What a thread may ask about groups; `control/state/group-operations.ts` describes them. */
export const groupOperations = ["open", "read", "append", "complete", "drop", "fail"] as const;
export type GroupOperation = (typeof groupOperations)[number];

/** What a request about groups says; each operation reads its own part. */
export interface GroupAbout {
  readonly group: string;
  readonly key: string;
  readonly messages: number;
  readonly deadline: number;
  readonly by: string;
  /** Groups that end, are read from a message on, or are removed. */
  readonly groups: readonly (readonly [group: string, messages: number, by: string])[];
  readonly fingerprint: string;
  /** Why the steps of a group have failed. */
  readonly error: WireError | null;
}

/** The most characters of a group's id, of a cause and of a fingerprint. */
export const longestGroupText = 100;

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

/** Returns the form of a key that holds the value of a secret: a digest that only who has the flow's salt can make. */
export function secretKey(text: string, salt: string): string {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return `#${createHmac("sha256", salt).update(text, "utf16le").digest("base64url")}`;
}

export const longestStateKey = longestKey + 1;

/** The most bytes of a value, as UTF-8. */
export const mostValueBytes = 1024;

/** Returns the form in which a value travels: `=` and the text; "": there is none. */
export function valueForm(value: string | undefined): string {
  return value === undefined ? "" : `=${value}`;
}

/** Returns the value of such a form. */
export function valueFrom(form: string): string | undefined {
  return form === "" ? undefined : form.slice(1);
}

/** Returns why a text cannot be a value; undefined: it can. */
export function valueProblem(value: string): string | undefined {
  if (value.isWellFormed() && Buffer.byteLength(value) <= mostValueBytes) return undefined;
  return `a value is a text of at most ${mostValueBytes} bytes that UTF-8 can represent`;
}
