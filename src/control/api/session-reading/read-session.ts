/** Reads the bodies of test sessions: `POST /_api/test/session`, `DELETE` with more assertions, and `POST /_api/test/invoke`. */
import * as z from "zod";
import {
  choice,
  expect,
  fields,
  isFields,
  isUpTo,
  object,
  readOwn,
  text,
  whole,
} from "../../../shared/document-fields.ts";
import { idProblem } from "../../../shared/ids.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { GivenMessage, Invoke, SessionRequest } from "../../runs/test-sessions/test-service.ts";
import { base64 } from "./read-actions.ts";
import { namesSteps, readMocks } from "./read-mocks.ts";
import {
  leastTtlMs,
  mostAssertions,
  mostName,
  mostNote,
  mostNotes,
  mostSessionName,
  mostTimeoutMs,
  mostUri,
  Reading,
} from "./reading.ts";

const id = text(mostName).superRefine((value, { addIssue }) => {
  const problem = typeof value === "string" ? idProblem(value) : undefined;
  if (problem !== undefined) addIssue(problem);
});

/** The fields of an assertion are read where it is evaluated. */
const assertion = z.unknown().refine(isFields, 'an object with one name is expected, such as {"mockCalled": {...}}');
const assertions = expect<unknown[]>(
  `a list of at most ${mostAssertions} assertions such as {"mockCalled": {"stepId": "to-crm"}} is`,
  (value) => Array.isArray(value) && value.length <= mostAssertions,
).pipe(z.array(assertion));

const note = (value: unknown): boolean => typeof value === "string" && isUpTo(value, mostNote);
const notes = z
  .preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    expect<readonly string[]>(
      `at most ${mostNotes} texts of at most ${mostNote} characters are`,
      (value) => Array.isArray(value) && value.length <= mostNotes && value.every(note),
    ),
  )
  .optional();

const recordedFrom = fields({ runId: text(mostName).optional(), hash: text(mostName).optional() }).transform(
  ({ runId, hash }, { addIssue }): { readonly runId: string; readonly hash: string } => {
    if (runId === undefined || hash === undefined) addIssue("runId and hash are needed");
    return { runId: runId ?? "", hash: hash ?? "" };
  },
);

const directUri = /^direct:(?:\/\/)?([^\s?/:][^\s?]{0,199})$/;

/** `{"<routeId>": "direct:name"}`, or `{"routeId": "...", "with": "direct:name"}`. */
const replaceFrom = object('an object such as {"my-route": "direct:start"}').transform((sent, { addIssue }) => {
  const { routeId, with: endpoint, ...others } = sent;
  const isOne = endpoint !== undefined && typeof routeId === "string" && !directUri.test(routeId);
  const pairs = isOne && Object.keys(others).length === 0 ? [[routeId, endpoint] as const] : Object.entries(sent);
  /** By the endpoint's name. */
  const routes = new Map<string, string>();
  for (const [route, value] of pairs) {
    const path = [isOne ? "with" : route];
    const [, name] = directUri.exec(typeof value === "string" ? value : "") ?? [];
    const problem = idProblem(route);
    const taken = name === undefined ? undefined : routes.get(name);
    if (problem !== undefined) addIssue({ code: "custom", path, message: problem });
    else if (name === undefined) {
      addIssue({ code: "custom", path, message: 'an endpoint such as "direct:start" is expected' });
    } else if (taken !== undefined) {
      addIssue({ code: "custom", path, message: `direct:${name} stands for another route, '${taken}', already` });
    } else routes.set(name, route);
  }
  return Object.fromEntries([...routes].map(([name, route]): [string, string] => [route, `direct:${name}`]));
});

const hints: Readonly<Record<string, string>> = {
  mock: "mocks is a list of them",
  stepId: "it belongs into a mock: mocks is a list of them",
  endpoint: "it belongs into invoke",
};

/** Schemas by the longest life of a session: a schema is slow to build, and the limit rarely changes. */
const schemas = new Map<number, ReturnType<typeof makeSchema>>();

function sessionSchema(mostMs: number) {
  const schema = schemas.get(mostMs) ?? makeSchema(mostMs);
  schemas.set(mostMs, schema);
  return schema;
}

function makeSchema(mostMs: number) {
  return fields(
    {
      flowId: id.optional(),
      name: text(mostSessionName).optional(),
      ttlMs: whole(leastTtlMs, mostMs).optional(),
      scope: choice(["deployment", "session"]).optional(),
      mocks: z.unknown().optional(),
      assertions: assertions.optional(),
      replaceFrom: replaceFrom.optional(),
      invoke: ownInvoke.optional(),
      recordedFrom: recordedFrom.optional(),
      notes,
    },
    { hints },
  );
}

export interface ReadSession {
  readonly request: SessionRequest;
  readonly warnings: readonly string[];
}

/** Throws AppError `session_invalid` with all problems. `strict`: unknown fields are problems, too. */
export function readSession(
  document: unknown,
  { testSessionMostMs, testSessionMocks }: Pick<Limits, "testSessionMostMs" | "testSessionMocks">,
  strict = false,
): ReadSession {
  const reading = new Reading();
  const session = reading.read(sessionSchema(testSessionMostMs), document) ?? {};
  const mocks = isFields(document) ? readOwn(document, "mocks") : undefined;
  const { set, places } = readMocks(mocks, testSessionMocks, reading);
  if (isFields(document) && readOwn(document, "flowId") === undefined && !namesSteps(mocks)) {
    reading.bad(["flowId"], "is missing, and no mock names a step that the flow could be found by");
  }
  const warnings = reading.settle("session_invalid", strict);
  const { flowId, name, ttlMs, scope = "deployment", invoke, recordedFrom } = session;
  const { assertions = [], replaceFrom = {}, notes = [] } = session;
  const request = { flowId, name, ttlMs, scope, set, places, assertions, replaceFrom, invoke, recordedFrom, notes };
  return { request, warnings };
}

const moreAssertions = fields({ assertions: assertions.optional() });

/** A body of `DELETE /_api/test/session/:id`. Throws AppError `session_invalid`. */
export function readMoreAssertions(document: unknown): readonly unknown[] {
  const reading = new Reading();
  const { assertions = [] } = reading.read(moreAssertions, document) ?? {};
  reading.settle("session_invalid", true);
  return assertions;
}

const beginnings = ["endpoint", "uri", "routeId"] as const;
const invokeFields = {
  endpoint: text(mostUri).optional(),
  uri: text(mostUri).optional(),
  routeId: text(mostName).optional(),
  body: z.unknown().optional(),
  bodyBase64: base64.optional(),
  headers: object("an object of headers by name").optional(),
  timeoutMs: whole(1, mostTimeoutMs).optional(),
};
type Sent = { readonly [Name in keyof typeof invokeFields]?: z.output<(typeof invokeFields)[Name]> };

const givenMessage = fields({ headers: invokeFields.headers, body: invokeFields.body });

/** A message for a run that a management call begins: `{headers?, body?}`. Throws AppError `bad_request`. */
export function readGivenMessage(document: unknown): GivenMessage {
  const reading = new Reading();
  const message = reading.read(givenMessage, document) ?? {};
  reading.settle("bad_request", true);
  return message;
}

const whenObject = { when: ({ value }: { readonly value: unknown }) => isFields(value) };

/** The `invoke` of a session. It has to name an endpoint or a route, since there is no other one to fall back on. */
const ownInvoke = fields(invokeFields)
  .superRefine((value, context) => {
    checkInvoke(value, context);
    if (beginnings.some((name) => value[name] !== undefined)) return;
    const message = `is missing: say what begins, such as "direct:start", or a routeId`;
    context.addIssue({ code: "custom", path: ["endpoint"], message });
  }, whenObject)
  .transform(invokeOf);

const requested = fields({ sessionId: text(mostName).optional(), ...invokeFields }).superRefine((value, context) => {
  checkInvoke(value, context);
  if (value.sessionId !== undefined) return;
  const message = "is missing: it is what POST /_api/test/session has answered";
  context.addIssue({ code: "custom", path: ["sessionId"], message });
}, whenObject);

export interface InvokeRequest {
  readonly sessionId: string;
  readonly invoke: Invoke;
}

/** A body of `POST /_api/test/invoke`. Throws AppError `bad_request`. */
export function readInvokeRequest(document: unknown): InvokeRequest {
  const reading = new Reading();
  const { sessionId = "", ...invoke } = reading.read(requested, document) ?? {};
  reading.settle("bad_request", true);
  return { sessionId, invoke: invokeOf(invoke) };
}

function checkInvoke(value: Sent, { addIssue }: z.RefinementCtx): void {
  const [first, second] = beginnings.filter((name) => value[name] !== undefined);
  if (second !== undefined) {
    addIssue({ code: "custom", path: [second], message: `${first} says already what begins: send one of them` });
  }
  if (value.body !== undefined && value.bodyBase64 !== undefined) {
    addIssue({ code: "custom", path: ["bodyBase64"], message: "body says already what is sent" });
  }
}

function invokeOf({ endpoint, uri, routeId, body, bodyBase64, headers, timeoutMs }: Sent): Invoke {
  return { endpoint: endpoint ?? uri, routeId, body, bodyBase64, headers, timeoutMs };
}
