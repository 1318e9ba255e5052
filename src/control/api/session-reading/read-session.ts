/** A session as `POST /_api/test/session` takes it, its short forms read. */
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
import type { SessionRequest } from "../../runs/test-sessions/test-service.ts";
import { ownInvoke } from "./read-invoke.ts";
import { namesSteps, readMocks } from "./read-mocks.ts";
import { leastTtlMs, mostAssertions, mostName, mostNote, mostNotes, mostSessionName, Reading } from "./reading.ts";

const id = text(mostName).superRefine((value, { addIssue }) => {
  const problem = typeof value === "string" ? idProblem(value) : undefined;
  if (problem !== undefined) addIssue(problem);
});

/** What they say is read where they are evaluated. */
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

/** By the longest life of a session: a schema is dear to make, and the limit is mostly one. */
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

/** Throws AppError `session_invalid`, which has all that is wrong. `strict`: fields that are not known are wrong. */
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
