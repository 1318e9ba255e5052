/** Rest services become routes that begin with platform-http; what is wrong with them is told at its place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsOf, modelReal, routesOf, warningsOf } from "./real-catalog.ts";

const target = "- route: { id: target, from: { uri: direct:a, steps: [{ stop: {} }] } }\n";

test("ids are those of the text, else made of the service's, or the flow's, with method and path", async () => {
  const yaml = `${target}- rest:
    path: /orders
    get: [{ to: "direct:a" }, { path: "/{id}/items", to: "direct:a" }, { path: "/{id}-items", to: "direct:a" }]
    post: [{ id: create, to: "direct:a" }, { path: /x, routeId: own, to: "direct:a" }]
- rest: { id: api, put: [{ path: /y, to: "direct:a" }] }
- rest: { head: [{ path: /target, id: target, to: "direct:a" }] }
`;
  assert.deepEqual(await routesOf(yaml), [
    "target direct:a [stop]",
    "shop-get-orders platform-http:/orders?httpMethodRestrict=GET [restBinding]",
    "shop-get-orders-id-items platform-http:/orders/{id}/items?httpMethodRestrict=GET [restBinding]",
    "shop-get-orders-id-items-2 platform-http:/orders/{id}-items?httpMethodRestrict=GET [restBinding]",
    "create platform-http:/orders?httpMethodRestrict=POST [restBinding]",
    "own platform-http:/orders/x?httpMethodRestrict=POST [restBinding]",
    "api-put-y platform-http:/y?httpMethodRestrict=PUT [restBinding]",
    "target-2 platform-http:/target?httpMethodRestrict=HEAD [restBinding]",
  ]);
  assert.deepEqual(await warningsOf(yaml), []);
});

test("a verb's options come before its service's, and those before the configuration's", async () => {
  const { routes } =
    await modelReal(`- restConfiguration: { bindingMode: json, enableCORS: true, skipBindingOnErrorCode: false }
- rest:
    path: /a
    bindingMode: "off"
    produces: text/plain
    get: [{ to: "log:a" }, { path: b, bindingMode: auto, produces: application/json, enableCORS: false, to: "log:a" }]
`);
  const [first, second] = routes.map(({ steps }) => steps[0]?.options as Record<string, unknown>);
  assert.deepEqual(
    [first?.["bindingMode"], first?.["produces"], first?.["skipBindingOnErrorCode"], first?.["cors"]],
    ["off", "text/plain", false, {}],
  );
  assert.deepEqual(
    [second?.["bindingMode"], second?.["produces"], second?.["cors"]],
    ["auto", "application/json", undefined],
  );
  assert.deepEqual(
    routes.map(({ from }) => from.endpoint.uri),
    [
      "platform-http:/a?httpMethodRestrict=GET&produces=text/plain",
      "platform-http:/a/b?httpMethodRestrict=GET&produces=application/json",
      "platform-http:/a?httpMethodRestrict=OPTIONS",
    ],
  );
});

test("services that share a path with CORS share the route that answers OPTIONS", async () => {
  const yaml = `- rest: { path: "/a/{id}", enableCORS: true, get: [{ to: "log:a" }] }
- rest: { path: "/a/{x}", enableCORS: true, put: [{ to: "log:a" }] }
`;
  const uris = (await modelReal(yaml)).routes.map(({ from }) => from.endpoint.uri);
  assert.deepEqual(uris.slice(2), ["platform-http:/a/{id}?httpMethodRestrict=OPTIONS"]);
});

const refused: readonly (readonly [yaml: string, ...expected: string[]])[] = [
  ["- rest: []", "1:3 wrong_type"],
  ["- rest: { path: /a, get: { to: 'log:a' } }", "1:26 wrong_type 'get' of 'rest' is a list"],
  ["- rest: { path: /a, get: [{ path: /b }] }", "1:27 missing_option 'get' of 'rest' needs 'to'"],
  ["- rest: { path: /a, get: [{ steps: [] }] }", "1:29 unknown_option a method calls its route"],
  ["- rest: { path: /a, gett: [{ to: 'log:a' }] }", "1:21 unknown_option did you mean 'get'"],
  ["- rest: { path: /a?b=1, get: [{ to: 'log:a' }] }", "1:17 invalid_value has no query"],
  ["- rest: { path: '/a/{', get: [{ to: 'log:a' }] }", "1:17 bad_endpoint cannot be served"],
  ["- rest: { path: /a, get: [{ to: 'lgo:a' }] }", "1:34 unknown_component did you mean 'log'"],
  ["- rest: { path: /a, bindingMode: xml, get: [{ to: 'log:a' }] }", "1:34 not_yet only JSON"],
  ["- rest: { path: /a, bindingMode: no, get: [{ to: 'log:a' }] }", "1:34 invalid_value off, auto or json"],
  ["- rest: { path: /a, enableCORS: maybe, get: [{ to: 'log:a' }] }", "1:33 invalid_value true or false"],
  ["- rest: { path: /a, get: [{ to: 'log:a' }, { to: 'log:b' }] }", "1:17 duplicate_path GET of '/a'"],
  ["- rest: { openApi: { specification: a.json } }", "1:11 not_yet OpenAPI"],
  [
    "- restConfiguration: { apiContextPath: doc }\n- rest: { get: [{ path: /a, to: 'log:a' }] }",
    "1:24 not_yet no API document",
  ],
  [
    "- restConfiguration: { componentProperty: [{ key: a, value: b }] }\n- rest: { get: [{ path: /a, to: 'log:a' }] }",
    "1:24 not_yet Camel's own server",
  ],
  [
    "- restConfiguration: { contextpath: x }\n- rest: { get: [{ path: /a, to: 'log:a' }] }",
    "1:24 unknown_option did you mean 'contextPath'",
  ],
  ["- restConfiguration: { contextPath: _api }\n- rest: { get: [{ path: /a, to: 'log:a' }] }", "2:25 reserved_path"],
  ["- rest: { path: /api, get: [{ path: /x, to: 'log:a' }] }", "1:37 foreign_path"],
  ["- rest: { get: [{ path: /a, param: [{ type: query }], to: 'log:a' }] }", "1:37 missing_option 'name'"],
  [
    "- rest: { get: [{ path: /a, param: [{ name: a, type: qery }], to: 'log:a' }] }",
    "1:54 invalid_value did you mean 'query'",
  ],
  [
    "- rest: { get: [{ path: /a, param: [{ name: a, type: query, requred: true }], to: 'log:a' }] }",
    "1:61 unknown_option did you mean 'required'",
  ],
  [
    "- restConfiguration: { corsHeaders: [{ name: a, value: b }] }\n- rest: { get: [{ path: /a, to: 'log:a' }] }",
    "1:37 wrong_type a list of maps with 'key' and 'value'",
  ],
  ["- from: { uri: 'rest:get:/_api/x', steps: [{ stop: {} }] }", "1:16 reserved_path"],
  ["- from: { uri: 'rest:fetch:/x', steps: [{ stop: {} }] }", "1:16 bad_endpoint FETCH"],
];

for (const [yaml, ...expected] of refused) {
  test(yaml, async () => {
    const errors = await errorsOf(yaml);
    assert.equal(errors.length, expected.length, errors.join("\n"));
    expected.forEach((line, at) => {
      const [place, code, ...words] = line.split(" ");
      const error = errors[at] ?? "";
      assert.ok(error.startsWith(`${place} ${code} `) && error.includes(words.join(" ")), error);
    });
  });
}

test("what says something to people or to another server is accepted, with a warning where it has no effect", async () => {
  const warnings = await warningsOf(`- restConfiguration: { component: servlet, port: 8080, inlineRoutes: false }
- rest:
    path: /a
    tag: t
    securityRequirements: [{ key: k }]
    get:
      - { type: org.Acme, outType: org.Acme, responseMessage: [{ code: 200, message: ok }], deprecated: true, to: "log:a" }
`);
  assert.deepEqual(
    warnings.map((line) => line.split(" ").slice(0, 2).join(" ")),
    ["1:24 no_effect", "1:44 no_effect", "5:5 no_effect"],
  );
});

const idle: readonly (readonly [yaml: string, ...warnings: string[]])[] = [
  [
    "- rest: { get: [{ path: /a, param: [{ name: a, type: query, required: true, allowableValues: [b] }], to: 'log:a' }] }",
    "1:61 'required' of the param 'a' has no effect: clientRequestValidation is off",
    "1:77 'allowableValues' of the param 'a' has no effect: clientRequestValidation is off",
  ],
  [
    "- rest: { clientRequestValidation: true, get: [{ path: /a, param: [{ name: a, type: query, required: true, dataType: integer }], to: 'log:a' }] }",
  ],
  [
    "- rest: { clientRequestValidation: true, post: [{ path: /a, param: [{ name: a, type: formData, required: true, defaultValue: b }], to: 'log:a' }] }",
    "1:96 'required' of the param 'a' has no effect: the fields of a form are not looked at: use step validate",
    "1:112 'defaultValue' of the param 'a' has no effect: only parameters of the query and headers have one",
  ],
  [
    "- rest: { post: [{ path: /a, bindingMode: json, type: com.acme.Order, to: 'log:a' }] }",
    "1:49 'type' of 'post' has no effect: there are no Java classes",
  ],
  [
    "- restConfiguration: { corsHeaders: { access-control-max-age: '1' } }\n- rest: { get: [{ path: /a, to: 'log:a' }] }",
    "1:39 the CORS header 'access-control-max-age' is not set (did you mean 'Access-Control-Max-Age'?)",
  ],
  [
    "- from: { uri: 'rest:post:/a?bindingMode=json', steps: [{ stop: {} }] }",
    "1:16 'bindingMode' of 'rest:' has no effect: bodies are bound for the methods of 'rest'",
  ],
  ["- from: { uri: 'rest:post:/a?bindingMode=off&outType=a', steps: [{ stop: {} }] }"],
];

for (const [yaml, ...expected] of idle) {
  test(`a warning says what has no effect: ${yaml}`, async () => {
    assert.deepEqual(await errorsOf(yaml), []);
    const found = (await warningsOf(yaml)).filter((line) => line.includes(" no_effect "));
    assert.equal(found.length, expected.length, found.join("\n"));
    expected.forEach((line, at) => {
      const warning = (found[at] ?? "").replace(" no_effect", "");
      assert.ok(warning.startsWith(line), warning);
    });
  });
}

test("no text names the step that stands around a service", async () => {
  const [error] = await errorsOf("- from: { uri: timer:t, steps: [{ restBinding: { steps: [{ stop: {} }] } }] }");
  assert.match(error as string, /^1:35 unknown_step /);
});
