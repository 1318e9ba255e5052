/** A session as `POST /_api/test/session` takes it, its short forms read. */
import { AppError } from "../../../shared/errors.ts";
import { idProblem } from "../../../shared/ids.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { SessionRequest } from "../../runs/test-sessions/test-service.ts";
import { leastTtlMs, mostAssertions, mostName, mostNote, mostNotes, mostSessionName } from "./bounds.ts";
import { invokeFields, readOwnInvoke } from "./read-invoke.ts";
import { namesSteps, readMocks } from "./read-mocks.ts";
import { isFields, type Part, Reading, theBody } from "./reading.ts";
import { isUpTo } from "./text-length.ts";

const sessionFields = [
  "flowId",
  "name",
  "ttlMs",
  "scope",
  "mocks",
  "assertions",
  "replaceFrom",
  "invoke",
  "recordedFrom",
  "notes",
];
const hints: Readonly<Record<string, string>> = {
  mock: "mocks is a list of them",
  stepId: "it belongs into a mock: mocks is a list of them",
  endpoint: "it belongs into invoke",
};

export interface ReadSession {
  readonly request: SessionRequest;
  readonly warnings: readonly string[];
  /** What is said of a mock by its index, said by where it stands. */
  inWordsSent(text: string): string;
}

/** Throws AppError `session_invalid`, which tells all that is wrong. `strict`: fields that are not known are wrong. */
export function readSession(
  document: unknown,
  limits: Pick<Limits, "testSessionMostMs" | "testSessionMocks">,
  strict = false,
): ReadSession {
  const reading = new Reading(strict);
  const part = reading.part(document, theBody, sessionFields, { hints });
  if (part === undefined) {
    reading.settle("session_invalid");
    throw new AppError("session_invalid", "the body is no session");
  }
  const flowId = readFlowId(part);
  const { set, places } = readMocks(part.value("mocks"), limits.testSessionMocks, reading);
  if (!part.has("flowId") && !namesSteps(part.value("mocks"))) {
    part.bad("flowId", "is missing, and no mock names a step that the flow could be found by");
  }
  const invoke = part.has("invoke") ? reading.part(part.value("invoke"), "invoke", invokeFields) : undefined;
  const request: SessionRequest = {
    flowId,
    name: part.text("name", mostSessionName),
    ttlMs: part.whole("ttlMs", leastTtlMs, limits.testSessionMostMs),
    scope: part.choice("scope", ["deployment", "session"]) ?? "deployment",
    set,
    assertions: readAssertions(part),
    replaceFrom: readReplaceFrom(part),
    invoke: readOwnInvoke(invoke),
    recordedFrom: readRecordedFrom(part),
    notes: readNotes(part),
  };
  reading.settle("session_invalid");
  const inWordsSent = (text: string) =>
    text.replaceAll(/\bmocks\[(\d+)\]/g, (index, digits: string) => places[Number(digits)] ?? index);
  return { request, warnings: reading.warnings, inWordsSent };
}

/** A body of `DELETE /_api/test/session/:id`. Throws AppError `session_invalid`. */
export function readMoreAssertions(document: unknown): readonly unknown[] {
  const reading = new Reading(true);
  const part = reading.part(document, theBody, ["assertions"]);
  const assertions = part === undefined ? [] : readAssertions(part);
  reading.settle("session_invalid");
  return assertions;
}

function readFlowId(part: Part): string | undefined {
  const flowId = part.text("flowId", mostName);
  const problem = flowId === undefined ? undefined : idProblem(flowId);
  return problem === undefined ? flowId : part.bad("flowId", problem);
}

/** What they say is read where they are evaluated. */
function readAssertions(part: Part): readonly unknown[] {
  const list = part.list("assertions", mostAssertions, 'assertions such as {"mockCalled": {"stepId": "to-crm"}}') ?? [];
  for (const [i, one] of list.entries()) {
    if (isFields(one)) continue;
    part.reading.bad(`assertions[${i}]`, 'an object with one name is expected, such as {"mockCalled": {...}}');
  }
  return list;
}

const directUri = /^direct:(?:\/\/)?([^\s?/:][^\s?]{0,199})$/;

/** `{"<routeId>": "direct:name"}`, or `{"routeId": "...", "with": "direct:name"}`. */
function readReplaceFrom(part: Part): Readonly<Record<string, string>> {
  const sent = part.object("replaceFrom", 'an object such as {"my-route": "direct:start"}') ?? {};
  const { routeId, with: endpoint, ...others } = sent;
  const isOne = endpoint !== undefined && typeof routeId === "string" && !directUri.test(routeId);
  const pairs = isOne && Object.keys(others).length === 0 ? [[routeId, endpoint] as const] : Object.entries(sent);
  /** By the endpoint's name. */
  const routes = new Map<string, string>();
  for (const [route, value] of pairs) {
    const place = isOne ? "replaceFrom.with" : `replaceFrom.${route.slice(0, 60)}`;
    const [, name] = directUri.exec(typeof value === "string" ? value : "") ?? [];
    const problem = idProblem(route);
    if (problem !== undefined) part.reading.bad(place, problem);
    else if (name === undefined) part.reading.bad(place, 'an endpoint such as "direct:start" is expected');
    else if (routes.has(name))
      part.reading.bad(place, `direct:${name} stands for another route, '${routes.get(name)}', already`);
    else routes.set(name, route);
  }
  return Object.fromEntries([...routes].map(([name, route]) => [route, `direct:${name}`]));
}

function readRecordedFrom(part: Part): SessionRequest["recordedFrom"] {
  if (!part.has("recordedFrom")) return undefined;
  const from = part.reading.part(part.value("recordedFrom"), "recordedFrom", ["runId", "hash"]);
  const runId = from?.text("runId", mostName);
  const hash = from?.text("hash", mostName);
  if (runId !== undefined && hash !== undefined) return { runId, hash };
  if (from !== undefined && !(from.has("runId") && from.has("hash")))
    part.bad("recordedFrom", "runId and hash are needed");
  return undefined;
}

function readNotes(part: Part): readonly string[] {
  if (!part.has("notes")) return [];
  const value = part.value("notes");
  const list: unknown = typeof value === "string" ? [value] : value;
  const isNote = (note: unknown): note is string => typeof note === "string" && isUpTo(note, mostNote);
  if (Array.isArray(list) && list.length <= mostNotes && list.every(isNote)) return list;
  part.bad("notes", `at most ${mostNotes} texts of at most ${mostNote} characters are expected`);
  return [];
}
