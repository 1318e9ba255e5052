/** What the designer's page and its server send each other, as JSON. */
import type { MappingUse } from "./mapping-uses.ts";

/** Each role may do what those before it may, too. */
export const roles = ["viewer", "editor", "operator"] as const;
export type Role = (typeof roles)[number];

/** Whether somebody of this role may do what needs at least another one. */
export function may(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Every refusal: one sentence with what is wrong and what to do. */
export interface Refusal {
  readonly error: string;
}

/** The headers that each request needs that changes something; a browser adds `Sec-Fetch-Site: same-origin` itself. */
export const writeHeader = { name: "X-Designer", value: "1" } as const;

/** `GET /designer/session`. */
export interface Session {
  /** null: nobody has logged in. With `login: "none"` it is the person at this machine, an operator. */
  readonly user: User | null;
  /** How people log in: not at all, with a password (`POST /designer/login`), or at a provider (`GET /designer/login/oidc`). */
  readonly login: "none" | "password" | "oidc";
  /** The runtimes that flows can be deployed to; empty while nobody has logged in. */
  readonly targets: readonly Target[];
  /** Of the designer. */
  readonly version: string;
}

export interface User {
  readonly name: string;
  readonly role: Role;
}

/** `GET /designer/people`, for operators. */
export interface People {
  /** Those of DESIGNER_USERS; empty with another login. */
  readonly users: readonly User[];
  /** Where people log in; null: not at a provider. `roles`: which value of the claim gives which role; `*`: everybody. */
  readonly provider: {
    readonly issuer: string;
    readonly claim: string;
    readonly roles: readonly (readonly [value: string, role: Role])[];
  } | null;
  /** Empty without a login. */
  readonly sessions: readonly PersonSession[];
}

/** Somebody who has logged in; ISO 8601, UTC. */
export interface PersonSession extends User {
  readonly since: string;
  /** The last request. */
  readonly used: string;
}

/** A runtime: its API is at `/targets/<name>/_api/...`. */
export interface Target {
  /** A segment of paths. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  readonly url: string;
}

/** `POST /designer/login`; answers the session. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** A flow's options, the content of `<id>.flow.yaml`: the fields of a PUT of the flow beside `yaml`. */
export type Options = Readonly<Record<string, unknown>>;

/** What was deployed to a target from this workspace at last. */
export interface Deployed {
  /** Of the YAML, as the runtime has it, too: SHA-256 in lower-case hexadecimal digits. */
  readonly hash: string;
  readonly optionsHash: string;
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** By revision, of the last ten that were deployed from this workspace: the name of the person. */
  readonly authors: Readonly<Record<string, string>>;
}

/** The last deployment to a target, when it was refused: of which content, and why. One that succeeds ends it. */
export interface FailedDeployment {
  readonly hash: string;
  readonly optionsHash: string;
  readonly at: string;
  /** A sentence with what is wrong and what to do. */
  readonly reason: string;
}

/** An entry of `GET /designer/flows`. */
export interface FlowEntry {
  /** With a `problem` of its name: the file's name. */
  readonly id: string;
  /** The first line of the option `description`; the id when it has none. */
  readonly name: string;
  readonly category: string | null;
  /** It was made and not saved by its author since. */
  readonly draft: boolean;
  /** SHA-256 of the YAML's bytes in lower-case hexadecimal digits; "" for a file that cannot be read. */
  readonly hash: string;
  /** SHA-256 of the options, whatever their order and the comments between them. */
  readonly optionsHash: string;
  /** Those that its steps name. */
  readonly mappings: readonly MappingUse[];
  /** The later one of the times at which the two files were changed; ISO 8601, UTC. */
  readonly modified: string;
  /** The value of `If-Match` for this version: of both files, byte for byte. */
  readonly etag: string;
  /** Why it is no flow, or what is wrong with its options' file, and what to do. */
  readonly problem?: string;
  /** By the name of the target. */
  readonly deployed: Readonly<Record<string, Deployed>>;
  /** By the name of the target. */
  readonly failed: Readonly<Record<string, FailedDeployment>>;
}

/** `GET /designer/flows/:id`; its `ETag` is `etag`. */
export interface FlowFile extends FlowEntry {
  readonly yaml: string;
  /** Empty when there is no companion file, and when it cannot be read (`problem`). */
  readonly options: Options;
  /** The text of the companion file, comments included; absent: there is none. */
  readonly companion?: string;
}

/** An entry of `GET /designer/calls`: what a flow offers to other flows by name, and what it calls of them. */
export interface FlowCalls {
  readonly id: string;
  /** Routes that begin with `direct:`. `route`: the id, null when it has none; `shared`: flows of other groups can call it, too. */
  readonly routes: readonly { readonly name: string; readonly route: string | null; readonly shared: boolean }[];
  /** `direct:` names that its steps call and none of its routes has. */
  readonly calls: readonly string[];
}

/** `PUT /designer/flows/:id` with `If-Match`, or `If-None-Match: *` for a new flow; answers a FlowFile, 201 for a new one. */
export interface FlowWrite {
  readonly yaml: string;
  /** All of them; left out: the companion file stays as it is. */
  readonly options?: Options | undefined;
  /** A text to put in place of the companion file, such as that of an imported one; `options`, when sent, are written into it. */
  readonly companion?: string | undefined;
  /** true: a new flow that its author has not saved yet. */
  readonly draft?: boolean | undefined;
}

/** The answer 412: the flow has another version by now. `current` is null when it was deleted. */
export interface Conflict extends Refusal {
  readonly current: { readonly yaml: string; readonly options: Options; readonly etag: string } | null;
}

/**
 * An entry of `GET /designer/mappings`: the file `documents/<kind>-mappings/<id>.json` beside the flows, where `bulkhead test`
 * finds it, too.
 */
export interface MappingEntry extends MappingUse {
  /** The document's `name`; the id when it has none. With a `problem` of its name: the file's name. */
  readonly name: string;
  /** It was made and not saved by its author since. */
  readonly draft: boolean;
  /** SHA-256 of its bytes in lower-case hexadecimal digits, as a runtime has it; "" for a file that cannot be read. */
  readonly hash: string;
  /** The value mappings that a message mapping names. */
  readonly uses: readonly MappingUse[];
  /** ISO 8601, UTC. */
  readonly modified: string;
  /** The value of `If-Match` for this version. */
  readonly etag: string;
  /** Why it cannot be used, and what to do. */
  readonly problem?: string;
  /** What was installed from here at last, by the name of the target. */
  readonly deployed: Readonly<Record<string, Deployed>>;
}

/** `GET /designer/mappings/:kind/:id`; its `ETag` is `etag`. `DELETE` with `If-Match` removes the file. */
export interface MappingFile extends MappingEntry {
  readonly text: string;
}

/** `PUT /designer/mappings/:kind/:id` with `If-Match`, or `If-None-Match: *` for a new one; answers a MappingFile. */
export interface MappingWrite {
  /** The document as JSON; a text that is none is kept, too: it is what somebody is writing. */
  readonly text: string;
  /** true: a new mapping that its author has not saved yet. */
  readonly draft?: boolean | undefined;
}

/** The answer 412 of a mapping: `current` is null when it was deleted. */
export interface MappingConflict extends Refusal {
  readonly current: { readonly text: string; readonly etag: string } | null;
}

/** `POST /designer/mappings/:kind/:id/deployed`; answers the MappingEntry. */
export interface MappingRecord {
  readonly target: string;
  readonly hash: string;
  /** 0: it is not known. */
  readonly revision: number;
}

/**
 * `POST /designer/flows/:id/deployed`; answers the FlowEntry. `DELETE /designer/flows/:id/deployed/:target` forgets it.
 * Either the hash of the options, as the FlowEntry has it, or, when the disk does not have them, the options themselves.
 */
export interface DeployedRecord {
  readonly target: string;
  readonly hash: string;
  readonly revision: number;
  readonly optionsHash?: string | undefined;
  readonly options?: Options | undefined;
}

/** `POST /designer/flows/:id/failed`; answers the FlowEntry. */
export interface FailedRecord {
  readonly target: string;
  readonly hash: string;
  readonly optionsHash: string;
  readonly reason: string;
}

/** `GET` and `PUT /designer/examples/:id`: messages to try a flow with. Further fields are kept as they are. */
export interface Examples {
  readonly examples: readonly Example[];
}

export interface Example {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Events of `GET /designer/events`: the data by the event's name. */
export interface DesignerEvents {
  /** The first event of a connection. Everything may have changed before it. */
  readonly ready: { readonly flows: number };
  /** Flows whose files were changed, by whomever; `etag: null`: deleted. */
  readonly flows: readonly { readonly id: string; readonly etag: string | null }[];
}

/** Events of `GET /designer/streams`, the one connection of a browser: the data by the event's name. */
export interface CarriedEvents {
  /** The first event: the id that stands in the paths of the calls below. */
  readonly connection: { readonly id: string };
  /** What a stream has sent, as it came: a part of its text, which may begin and end in the middle of an event. */
  readonly part: { readonly stream: string; readonly text: string };
  /** A stream has ended. */
  readonly end: { readonly stream: string };
}

/**
 * `PUT /designer/streams/:connection/:stream`: the connection carries an event stream from now on, under a name that the
 * browser chooses; 204 when it has begun. `DELETE` ends it. 410: there is no such connection any more.
 */
export interface CarriedStream {
  /** The path that the stream has by itself: `/designer/events`, or `/targets/<target>/_api/trace/stream?flowId=orders`. */
  readonly path: string;
  /** The event behind which it goes on. */
  readonly lastEventId?: string | undefined;
}

/**
 * `POST /targets/:target/call`: calls a flow of the runtime, as its callers do. The runtime's token is sent along, so
 * that access policies let the call in, unless `headers` has an Authorization or X-API-Key, or `token` is false.
 */
export interface FlowCall {
  readonly method: string;
  /** With the query, such as `/api/orders?dry=true`; never below `/_api`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Text; with `base64: true` bytes. */
  readonly body?: string | undefined;
  readonly base64?: boolean | undefined;
  readonly token?: boolean | undefined;
}

/** What the flow has answered; redirects are not followed. */
export interface FlowAnswer {
  readonly status: number;
  /** In lower case, in the order sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text, or base64 when it is not UTF-8. */
  readonly body: string;
  readonly base64: boolean;
  /** Whether only the beginning of the body is here. */
  readonly cut: boolean;
  readonly durationMs: number;
}
