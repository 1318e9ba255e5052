/** `/_api/test`: opens test sessions, whose mocks answer on the running deployment, and reports what the mocks recorded. */
import * as z from "zod";
import { type DocumentProblem, InvalidDocument } from "../../shared/problems.ts";
import type { TestService } from "../runs/test-sessions/test-service.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flag, idParams, jsonAnswer, noQuery, wholeNumber } from "./schemas.ts";
import type { LimitSettings } from "./services.ts";
import { readInvokeRequest, readMoreAssertions, readSession } from "./session-reading/read-session.ts";
import {
  invokeAnswerSchema,
  invokeDocumentSchema,
  moreAssertionsSchema,
  openedSessionSchema,
  sessionDocumentSchema,
  sessionReportSchema,
  sessionSummarySchema,
  validatedSessionSchema,
} from "./test-session-schemas.ts";

const path = "/_api/test/session";
const strictQuery = z.strictObject({ strict: flag.optional() });
const mostWaitMs = 60_000;
const defaultWaitMs = 1000;

interface TestServices {
  readonly tests: TestService;
  readonly limits: LimitSettings;
}

export function testSessionEndpoints({ tests, limits }: TestServices): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path,
      action: "tests.run",
      name: "openTestSession",
      summary:
        "Arms mocks on the flow's deployment as it is: for every run of it (scope deployment), or for runs that carry the session's id (scope session). strict=true refuses fields that are not known.",
      query: strictQuery,
      body: { schema: sessionDocumentSchema, media: ["json"] },
      answers: { 201: jsonAnswer("Open: runs that begin from now on are mocked.", openedSessionSchema) },
      errors: ["session_invalid", "scope_forbidden", "mock_conflict", "not_found", "too_many_sessions", "draining"],
      made: ({ flowId, sessionId }) => `${flowId}/${sessionId}`,
      async handle({ query: { strict }, body, reply }) {
        const { request, warnings } = readSession(body, limits.values, strict);
        const opened = await tests.open(request);
        reply.code(201).header("Location", `${path}/${opened.sessionId}`);
        return { ...opened, warnings: [...warnings, ...opened.warnings] };
      },
    }),
    endpoint({
      method: "GET",
      path,
      action: "tests.read",
      name: "listTestSessions",
      summary: "Sessions that are open, and those that ended a while ago; the newest first.",
      query: noQuery,
      answers: { 200: jsonAnswer("The sessions, without what they have seen.", z.array(sessionSummarySchema)) },
      handle: () => tests.list(),
    }),
    endpoint({
      method: "POST",
      path: "/_api/test/validate",
      action: "tests.read",
      name: "validateTestSession",
      summary: "All problems of a session's document, each with its place; opens nothing.",
      query: strictQuery,
      body: { schema: sessionDocumentSchema, media: ["json"] },
      answers: { 200: jsonAnswer("Valid or not.", validatedSessionSchema) },
      errors: ["not_found", "draining"],
      async handle({ query: { strict }, body }) {
        const warnings: string[] = [];
        const problems = await problemsOf(() => {
          const session = readSession(body, limits.values, strict);
          warnings.push(...session.warnings);
          return tests.validate(session.request);
        });
        return { valid: problems.length === 0, problems: [...problems], warnings };
      },
    }),
    endpoint({
      method: "GET",
      path: `${path}/:id`,
      action: "tests.run",
      name: "getTestSession",
      summary: "What the session has seen so far; it stays open.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("The session as it is now.", sessionReportSchema) },
      errors: ["not_found"],
      handle: ({ params: { id } }) => tests.look(id),
    }),
    endpoint({
      method: "DELETE",
      path: `${path}/:id`,
      action: "tests.run",
      name: "closeTestSession",
      summary: `Closes the session and judges its assertions. waitMs: how long its runs are waited for, ${defaultWaitMs} by default.`,
      params: idParams,
      query: z.strictObject({
        waitMs: wholeNumber(`a number of milliseconds from 0 to ${mostWaitMs}`, 0, mostWaitMs).optional(),
      }),
      body: { schema: moreAssertionsSchema, media: ["json"], optional: true },
      answers: { 200: jsonAnswer("Closed; once more answers the same.", sessionReportSchema) },
      errors: ["not_found", "session_invalid", "draining"],
      handle: ({ params: { id }, query: { waitMs = defaultWaitMs }, body }) =>
        tests.close(id, { waitMs, assertions: readMoreAssertions(body) }),
    }),
    endpoint({
      method: "POST",
      path: "/_api/test/invoke",
      action: "tests.run",
      name: "invokeInTest",
      summary: "Begins a direct: route of the session's flow, or one that replaceFrom names, and waits for its end.",
      query: noQuery,
      body: { schema: invokeDocumentSchema, media: ["json"] },
      answers: { 200: jsonAnswer("The run has ended, well or not.", invokeAnswerSchema) },
      errors: ["not_found", "session_closed", "not_invocable", "flow_quarantined_locked", "run_timeout"],
      made: ({ runId }) => runId,
      handle({ body }) {
        const { sessionId, invoke } = readInvokeRequest(body);
        return tests.invoke(sessionId, invoke);
      },
    }),
  ];
}

async function problemsOf(validate: () => Promise<void>): Promise<readonly DocumentProblem[]> {
  try {
    await validate();
    return [];
  } catch (error) {
    if (!(error instanceof InvalidDocument)) throw error;
    return error.problems;
  }
}
