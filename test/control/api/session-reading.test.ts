/** Reading the document of a session: every short form equals its long form, and every problem has its place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readInvokeRequest, readSession } from "../../../src/control/api/session-reading/read-session.ts";
import type { SessionRequest } from "../../../src/control/runs/test-sessions/test-service.ts";
import { AppError } from "../../../src/shared/errors.ts";

const limits = { testSessionMostMs: 3_600_000, testSessionMocks: 6 };

/** Reads a session without the places of its mocks, in which short and long forms differ. */
function read(document: unknown): Omit<SessionRequest, "places"> {
  const { places: _, ...request } = readSession(document, limits, true).request;
  return request;
}

/** Returns the message of the AppError that `call` throws. */
function refusal(call: () => unknown, code = "session_invalid"): string {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === code, String(error));
    return error.message;
  }
  return assert.fail("it was read");
}

const step = (mock: object) => ({ mocks: [{ stepId: "a", ...mock }] });

const short: readonly (readonly [what: string, short: unknown, long: unknown])[] = [
  ["mocks by step id", { mocks: { a: { respond: 1 } } }, step({ respond: { body: 1 } })],
  [
    "several mocks by step id",
    { mocks: { a: [{ respond: 1, times: 1 }, { throw: "no" }], b: { spy: true } } },
    {
      mocks: [
        { stepId: "a", respond: { body: 1 }, times: 1 },
        { stepId: "a", throw: { type: "java.lang.RuntimeException", message: "no" } },
        { stepId: "b", spy: true },
      ],
    },
  ],
  ["id for stepId", { mocks: [{ id: "a", spy: true }] }, step({ spy: true })],
  ["step for stepId", { mocks: [{ step: "a", spy: true }] }, step({ spy: true })],
  ["an object as the body", step({ respond: { ok: true } }), step({ respond: { body: { ok: true } } })],
  ["an empty object as the body", step({ respond: {} }), step({ respond: { body: {} } })],
  ["null as the body", step({ respond: null }), step({ respond: { body: null } })],
  ["a list as the body", step({ respond: [1] }), step({ respond: { body: [1] } })],
  [
    "a text as an expression",
    step({ respond: { expression: "${body}" } }),
    step({ respond: { expression: { simple: "${body}" } } }),
  ],
  [
    "a text as a condition",
    step({ spy: true, when: { expression: "${body}" } }),
    step({ spy: true, when: { expression: { simple: "${body}" } } }),
  ],
  [
    "a thrown message",
    step({ throw: "no luck" }),
    step({ throw: { type: "java.lang.RuntimeException", message: "no luck" } }),
  ],
  ["a thrown class", step({ throw: "java.io.IOException" }), step({ throw: { type: "java.io.IOException" } })],
  [
    "a thrown class with its message",
    step({ throw: "IOException: no: luck" }),
    step({ throw: { type: "IOException", message: "no: luck" } }),
  ],
  [
    "an HTTP status thrown",
    step({ throw: { status: 503 } }),
    step({ throw: { type: "HttpOperationFailedException", statusCode: 503 } }),
  ],
  [
    "a sequence",
    step({ sequence: [{ respond: 1 }, { throw: "x" }] }),
    step({ sequence: [{ respond: { body: 1 } }, { throw: { message: "x" } }] }),
  ],
  ["the default scope", step({ spy: true }), { scope: "deployment", ...step({ spy: true }) }],
  ["a uri to invoke", { flowId: "f", invoke: { uri: "direct:x" } }, { flowId: "f", invoke: { endpoint: "direct:x" } }],
  [
    "a route replaced",
    { flowId: "f", replaceFrom: { routeId: "r", with: "direct:x" } },
    { flowId: "f", replaceFrom: { r: "direct:x" } },
  ],
  ["direct://", { flowId: "f", replaceFrom: { r: "direct://x" } }, { flowId: "f", replaceFrom: { r: "direct:x" } }],
  ["one note", { flowId: "f", notes: "n" }, { flowId: "f", notes: ["n"] }],
];

test("each short form is read as its long form", () => {
  for (const [what, brief, long] of short) assert.deepEqual(read(brief), read(long), what);
});

test("a mock has all given fields, and each step and pattern is one target", () => {
  const { set } = read({
    mocks: [
      { stepId: "a", respond: { body: 1, headers: { x: null }, status: 201, delayMs: 5 }, times: 2 },
      { uri: "http:erp*", sequence: [{ respond: { bodyBase64: "AAE=" } }, { spy: true }], after: "repeatLast" },
      { step: "a", throw: { statusCode: 503, responseBody: { no: 1 }, responseHeaders: { a: "b" }, delayMs: 1 } },
      { uri: "http:erp*", spy: true, when: { body: { $contains: { id: 1 } }, headers: { h: "1" } } },
    ],
  });
  assert.deepEqual(set, {
    targets: [{ stepId: "a" }, { uri: "http:erp*" }],
    mocks: [
      {
        target: 0,
        actions: [{ kind: "respond", body: 1, headers: { x: null }, status: 201, delayMs: 5 }],
        times: 2,
        after: "passthrough",
      },
      {
        target: 1,
        actions: [{ kind: "respond", bodyBase64: "AAE=" }, { kind: "spy" }],
        times: 2,
        after: "repeatLast",
      },
      {
        target: 0,
        actions: [
          {
            ...{ kind: "throw", type: "HttpOperationFailedException", message: "", statusCode: 503 },
            ...{ responseBody: { no: 1 }, responseHeaders: { a: "b" }, delayMs: 1 },
          },
        ],
        times: 0,
        after: "passthrough",
      },
      {
        target: 1,
        actions: [{ kind: "spy" }],
        times: 0,
        after: "passthrough",
        when: { body: { $contains: { id: 1 } }, headers: { h: "1" } },
      },
    ],
  });
});

const refused: readonly (readonly [document: unknown, message: RegExp])[] = [
  [[], /^the body: an object with flowId, /],
  [{ flowId: "f", mokcs: [] }, /^\/mokcs: unknown field \(did you mean 'mocks'\?\)$/],
  [{ flowId: "f", stepId: "a" }, /^\/stepId: unknown field: it belongs into a mock/],
  [JSON.parse('{"flowId": "f", "__proto__": 1}'), /^\/__proto__: unknown field; known here are flowId, /],
  [{ flowId: "-f" }, /^\/flowId: an id has /],
  [{}, /^\/flowId: is missing, and no mock names a step/],
  [{ mocks: [{ uri: "http:x", spy: true }] }, /^\/flowId: is missing/],
  [{ flowId: "f", scope: "all" }, /^\/scope: deployment or session is expected$/],
  [{ flowId: "f", ttlMs: 3_600_001 }, /^\/ttlMs: a whole number from 1000 to 3600000 is expected$/],
  [{ flowId: "f", ttlMs: "5" }, /^\/ttlMs: /],
  [{ flowId: "f", name: "" }, /^\/name: a text of 1 to 200 characters is expected$/],
  [{ flowId: "f", mocks: "a" }, /^\/mocks: a list of mocks, or an object/],
  [{ flowId: "f", mocks: ["a"] }, /^\/mocks\/0: a mock is an object .* write \{"respond": "a"\}$/],
  [{ flowId: "f", mocks: { a: true } }, /^\/mocks\/a: a mock is an object .* write \{"respond": true\}$/],
  [{ flowId: "f", mocks: { "a b": [{ spy: true }, 5] } }, /^\/mocks\/a b\/1: a mock is an object/],
  [{ flowId: "f", mocks: { a: { stepId: "a", spy: true } } }, /^\/mocks\/a\/stepId: the key .* already$/],
  [{ flowId: "f", mocks: [{ spy: true }] }, /^\/mocks\/0: what is mocked\?/],
  [step({ uri: "x", spy: true }), /^\/mocks\/0\/uri: a mock has one target, and stepId names one/],
  [step({ id: "b", spy: true }), /^\/mocks\/0\/id: a mock has one target/],
  [step({}), /^\/mocks\/0: what does it do\?/],
  [step({ respond: 1, throw: "x" }), /^\/mocks\/0: respond and throw exclude each other/],
  [step({ respond: 1, spy: true }), /^\/mocks\/0: respond and spy exclude/],
  [step({ spy: false }), /^\/mocks\/0\/spy: true is expected/],
  [step({ spy: true, body: 1 }), /^\/mocks\/0\/body: unknown field: it belongs into respond$/],
  [step({ spy: true, statusCode: 1 }), /^\/mocks\/0\/statusCode: unknown field: it belongs into throw$/],
  [step({ respond: 1, times: 0 }), /^\/mocks\/0\/times: a whole number from 1 /],
  [step({ respond: 1, times: 1.5 }), /^\/mocks\/0\/times: /],
  [step({ sequence: [{ respond: 1 }], times: 2 }), /^\/mocks\/0\/times: a sequence has one use for each/],
  [step({ sequence: [] }), /^\/mocks\/0\/sequence: a list such as/],
  [step({ sequence: [{}] }), /^\/mocks\/0\/sequence\/0: one of respond, throw, spy is expected$/],
  [step({ sequence: [{ spy: true, throw: "x" }] }), /^\/mocks\/0\/sequence\/0: one of /],
  [step({ sequence: [1] }), /^\/mocks\/0\/sequence\/0: an object with respond, throw, spy/],
  [step({ respond: 1, after: "fail" }), /^\/mocks\/0\/after: without times or sequence/],
  [step({ respond: 1, times: 1, after: "stop" }), /^\/mocks\/0\/after: passthrough or repeatLast or fail is expected$/],
  [step({ respond: { body: 1, hedaers: {} } }), /^\/mocks\/0\/respond\/hedaers: .*'headers'\?\)$/],
  [step({ respond: { body: 1, bodyBase64: "AA==" } }), /^\/mocks\/0\/respond: one of body and bodyBase64/],
  [step({ respond: { bodyBase64: "AA" } }), /^\/mocks\/0\/respond\/bodyBase64: base64/],
  [step({ respond: { status: 99 } }), /^\/mocks\/0\/respond\/status: a whole number from 100 to 599/],
  [step({ respond: { status: 600 } }), /^\/mocks\/0\/respond\/status: /],
  [step({ respond: { delayMs: -1 } }), /^\/mocks\/0\/respond\/delayMs: a whole number from 0 to 60000/],
  [step({ respond: { delayMs: 60_001 } }), /^\/mocks\/0\/respond\/delayMs: /],
  [step({ respond: { headers: ["a"] } }), /^\/mocks\/0\/respond\/headers: an object of headers/],
  [step({ respond: { expression: { a: "1", b: "2" } } }), /^\/mocks\/0\/respond\/expression: a text in Simple, or one/],
  [step({ respond: { expression: { jsonata: 1 } } }), /^\/mocks\/0\/respond\/expression: /],
  [step({ throw: 5 }), /^\/mocks\/0\/throw: an object with type, message, /],
  [step({ throw: { typ: "x" } }), /^\/mocks\/0\/throw\/typ: .*'type'\?\)$/],
  [step({ throw: { type: "no class" } }), /^\/mocks\/0\/throw\/type: the name of a Java class/],
  [
    step({ throw: { type: "IOException", statusCode: 503 } }),
    /^\/mocks\/0\/throw\/statusCode: only an HttpOp.*IOException$/,
  ],
  [step({ throw: "HttpOperationFailedException" }), /^\/mocks\/0\/throw: .* needs a statusCode/],
  [step({ throw: { statusCode: 1000 } }), /^\/mocks\/0\/throw\/statusCode: a whole number from 100 to 999/],
  [step({ throw: { status: 101, statusCode: 503 } }), /^\/mocks\/0\/throw\/status: statusCode says the same/],
  [step({ spy: true, when: {} }), /^\/mocks\/0\/when: one of body, headers, expression is expected$/],
  [step({ spy: true, when: "x" }), /^\/mocks\/0\/when: an object with body/],
  [step({ spy: true, when: { sku: 1 } }), /^\/mocks\/0\/when\/sku: unknown field; known here are body/],
  [{ flowId: "f", mocks: Array(7).fill({ stepId: "a", spy: true }) }, /^\/mocks: 7 answers are more than the 6 /],
  [
    { flowId: "f", mocks: [{ stepId: "a", sequence: Array(7).fill({ spy: true }) }] },
    /^\/mocks: 7 answers are more than the 6 that a session may have \(testSessionMocks\)$/,
  ],
  [{ flowId: "f", assertions: {} }, /^\/assertions: a list of at most/],
  [{ flowId: "f", assertions: ["x"] }, /^\/assertions\/0: an object/],
  [{ flowId: "f", replaceFrom: "r" }, /^\/replaceFrom: an object such as/],
  [{ flowId: "f", replaceFrom: { r: "seda:x" } }, /^\/replaceFrom\/r: an endpoint such as "direct:start" is expected$/],
  [{ flowId: "f", replaceFrom: { routeId: "r", with: 5 } }, /^\/replaceFrom\/with: an endpoint such as/],
  [
    { flowId: "f", replaceFrom: { a: "direct:x", b: "direct:x" } },
    /^\/replaceFrom\/b: direct:x stands for another route, 'a', already$/,
  ],
  [{ flowId: "f", invoke: { body: 1 } }, /^\/invoke\/endpoint: is missing/],
  [{ flowId: "f", invoke: { endpoint: "direct:a", routeId: "b" } }, /^\/invoke\/routeId: endpoint says already/],
  [{ flowId: "f", invoke: { routeId: "b", bdy: 1 } }, /^\/invoke\/bdy: .*'body'\?\)$/],
  [{ flowId: "f", invoke: { routeId: "b", body: 1, bodyBase64: "AA==" } }, /^\/invoke\/bodyBase64: body says already/],
  [{ flowId: "f", recordedFrom: { runId: "x" } }, /^\/recordedFrom: runId and hash are needed$/],
  [{ flowId: "f", notes: [1] }, /^\/notes: at most 100 texts/],
  [{ flowId: "f", notes: null }, /^\/notes: at most 100 texts/],
];

test("an invalid value is refused with its place and with what is expected", () => {
  for (const [document, message] of refused) {
    const text = refusal(() => read(document));
    assert.match(text, message, JSON.stringify(document));
    assert.doesNotMatch(text, /; \/[^ ]*: /, `one problem only: ${text}`);
  }
});

test("an unknown field is ignored with a warning, unless that would widen a mock", () => {
  const { request, warnings } = readSession(
    { ...step({ respond: { body: 1, hedaers: {} }, tims: 2 }), unmockedOutbound: "allow" },
    limits,
  );
  assert.deepEqual(request, { ...read(step({ respond: { body: 1 } })), places: ["/mocks/0"] });
  assert.deepEqual(
    warnings.map((warning) => warning.split(": unknown field", 1)[0]),
    ["/unmockedOutbound", "/mocks/0/tims", "/mocks/0/respond/hedaers"],
  );
  const widened = refusal(() => readSession(step({ spy: true, when: { body: 1, sku: 1 } }), limits));
  assert.match(widened, /^\/mocks\/0\/when\/sku: unknown field/);
});

test("all problems are reported at once; when there are too many, their number is", () => {
  const text = refusal(() => read({ flowId: "-", ttlMs: 0, mocks: [{ stepId: "a", spy: 1 }, { uri: "x" }] }));
  for (const place of ["/flowId: ", "/ttlMs: ", "/mocks/0/spy: ", "/mocks/1: "]) assert.ok(text.includes(place), text);
  const many = refusal(() => read({ flowId: "f", mocks: Array(1000).fill(5) }));
  const told = many.split("; ").length - 1;
  assert.ok(many.endsWith(`; ${1000 - told} more problems`), many);
  assert.ok(Buffer.byteLength(JSON.stringify({ error: many })) <= 1024);
});

test("far too many mocks are reported by their number only", () => {
  const text = refusal(() => read({ flowId: "f", mocks: Array(1001).fill(5) }));
  assert.equal(text, "/mocks: 1001 answers are more than the 6 that a session may have (testSessionMocks)");
});

test("an object with only a misspelt field of an answer is taken as the body, with a warning", () => {
  const { request, warnings } = readSession(step({ respond: { hedaers: {} } }), limits);
  assert.deepEqual(request.set.mocks[0]?.actions, [{ kind: "respond", body: { hedaers: {} } }]);
  assert.deepEqual(warnings.length, 1);
  assert.match(warnings[0] ?? "", /^\/mocks\/0\/respond: the whole object is the body.*'headers'\?\)$/);
  assert.deepEqual(readSession(step({ respond: { price: 1 } }), limits).warnings, []);
});

test("test/invoke reads what to begin, and refuses invalid requests", () => {
  assert.deepEqual(readInvokeRequest({ sessionId: "s", uri: "direct:a", body: null, timeoutMs: 5 }), {
    sessionId: "s",
    invoke: {
      ...{ endpoint: "direct:a", body: null, timeoutMs: 5 },
      ...{ routeId: undefined, bodyBase64: undefined, headers: undefined },
    },
  });
  for (const [document, message] of [
    [[], /^the body: an object with sessionId, endpoint, /],
    [{}, /^\/sessionId: is missing: it is what POST/],
    [{ sessionId: 5 }, /^\/sessionId: a text of /],
    [{ sessionId: "s", timeoutMs: 0 }, /^\/timeoutMs: a whole number from 1 /],
    [{ sessionId: "s", headers: [] }, /^\/headers: an object of headers/],
    [{ sessionId: "s", endpont: "direct:a" }, /^\/endpont: .*'endpoint'\?\)$/],
  ] as const) {
    assert.match(
      refusal(() => readInvokeRequest(document), "bad_request"),
      message,
    );
  }
});
