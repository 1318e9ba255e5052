/**
 * What one hostile flow is, does and must end as. The cases are data: the storm tries each in a real process beside neighbours
 * (`npm run storm -- hostile`), hostile.test.ts some of them in an app of its own.
 */

/** Where flows run: the cases may end differently in each. */
export type Mode = "thread" | "process";

/** What a caller was told, and when. */
export interface Answer {
  /** 0: the connection ended without one. */
  readonly status: number;
  /** `X-Error-Code`; "" when there is none. */
  readonly code: string;
  readonly ms: number;
  readonly runId: string | undefined;
  readonly retryAfter: boolean;
  /** The beginning of its body. */
  readonly text: string;
}

/** The runtime under attack. */
export interface Target {
  readonly url: string;
  /** A management call with the token. */
  api(path: string, init?: RequestInit): Promise<Response>;
}

/** Attacks until `over` says so, and tells of each call; the first is the one that is judged closely. */
export type Attack = (target: Target, attacked: HostileCase, over: () => boolean) => Promise<readonly Answer[]>;

export interface HostileCase {
  /** Of the list of hostile flows; `name` tells several of a number apart. */
  readonly number: number;
  readonly name: string;
  /** Flow id -> YAML; all are in the group `hostile`. Those of a definition that is refused have none. */
  readonly flows: Readonly<Record<string, string>>;
  /** Injected in the thread of the flow: a name of test/support/faults/faults.ts. */
  readonly fault?: string;
  readonly limits?: Readonly<Record<string, number>>;
  /** Absent: one call after the other of the route `hostile`. */
  readonly attack?: Attack;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `500 run_failed`: what the caller may be told. */
  readonly answers: readonly string[];
  /** How the run's record begins: `status/outcome`, then its limit's name, then its error's type and message. Absent: no run begins. */
  readonly record?: RegExp;
  /** The limit that ends it: the caller is told at most two seconds later. */
  readonly withinMs: number;
  /** What stops it, for people. */
  readonly stoppedBy: string;
  /** The process that has the thread may die of it: in thread mode it is that of all. */
  readonly costsProcess?: true;
  /** The main loop may never be later than this; absent: the common bar alone. */
  readonly lagMostMs?: number;
  /** It is as large as this, and there before anybody can look: beyond the limit and the common bar. */
  readonly oneAllocationMiB?: number;
  /** What else is to be so afterwards: resolves with what is wrong. */
  readonly also?: (target: Target, answers: readonly Answer[]) => Promise<readonly string[]>;
}

/** A webhook with the route `hostile` and these steps, in YAML's flow style. */
export function hostile(...steps: readonly string[]): Readonly<Record<string, string>> {
  return { "hostile.main": route("hostile", "webhook", ...steps) };
}

export function route(id: string, from: string, ...steps: readonly string[]): string {
  return `- route:\n    id: ${id}\n    from:\n      uri: "${from}"\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;
}

/** Steps again and again. */
export function times(count: number, ...steps: readonly string[]): string {
  return `loop: { constant: "${count}", steps: [${steps.map((step) => `{ ${step} }`).join(", ")}] }`;
}

/** A case whose fault goes off inside of a step. */
export function faulty(fault: string): Pick<HostileCase, "flows" | "fault" | "headers"> {
  return { flows: hostile(`setBody: { simple: "\${random(9)}" }`), fault, headers: { "X-Fault": `fault <${fault}>` } };
}

/** As the expectations have it: `500 run_failed`, or `200`. */
export function shownText({ status, code }: Answer): string {
  return code === "" ? String(status) : `${status} ${code}`;
}
