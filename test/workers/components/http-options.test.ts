/** Options of http endpoints: those that work, those that are refused and why, and what is neither and goes to the server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { check } from "../../../src/workers/check/check.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { compileYaml, routeOf } from "../../support/run-route.ts";
import { callTo } from "./http-calls.ts";

function diagnosed(parameters: Readonly<Record<string, unknown>>, uri = "http://h.example/a") {
  const yaml = routeOf(`- ${JSON.stringify({ to: { uri, parameters } })}`);
  return check({ flowId: "f", yaml, params: {}, limits: defaultLimits }, catalog, compileFlow).diagnostics;
}

const refused: readonly (readonly [parameters: Readonly<Record<string, unknown>>, why: RegExp])[] = [
  [{ proxyHost: "p" }, /'proxyHost' of component 'http' is refused: name a connection of the kind http/],
  [{ sslContextParameters: "#ssl" }, /name a connection of the kind http/],
  [{ cookieStore: "#c" }, /cookies are not kept between calls/],
  [{ authMethod: "NTLM" }, /is one of Basic, Bearer/],
  [{ disableStreamCache: true }, /an answer is read whole/],
  [{ okStatusCodeRange: "2xx" }, /okStatusCodeRange is '2xx': write it like 200-299/],
  [
    { connectTimeout: 60_000 },
    /connectTimeout is 60000: it is 1 to 5000, and the flow's limit outboundConnectMs may be raised/,
  ],
  [{ responseTimeout: 0 }, /responseTimeout is 0: it is 1 to 10000/],
  [{ connectionsPerRoute: 201 }, /connectionsPerRoute is 201/],
  [{ maxTotalConnections: 201 }, /maxTotalConnections is 201/],
  [{ connectionRequestTimeout: 0 }, /connectionRequestTimeout is 0: it is 1 to /],
  [{ authUsername: "u" }, /authUsername and authPassword belong together/],
  [{ authMethod: "Bearer" }, /needs authBearerToken/],
  [{ authenticationPreemptive: true }, /there are no credentials/],
  [{ authBearerToken: "t", authUsername: "u", authPassword: "p" }, /exclude each other/],
  [{ oauth2ClientId: "i" }, /belong together: give all three/],
  [{ "httpClient.socketTimeout": 5 }, /'httpClient.socketTimeout' sets up Java's client: use connectTimeout/],
  [{ x: { y: 1 } }, /'x' of component 'http' is sent as part of the query: it is text/],
];

test("what an option cannot do is said, each with what to do", () => {
  for (const [parameters, why] of refused) {
    const errors = diagnosed(parameters).filter(({ severity }) => severity === "error");
    assert.equal(errors.length, 1, JSON.stringify([parameters, errors]));
    assert.match(errors[0]?.message ?? "", why);
  }
  for (const uri of ["http:", "http://", "http://h:99999/x", "https:///"]) {
    const errors = diagnosed({}, uri);
    assert.match(errors[0]?.message ?? "", /is no address to call: write http:\/\/host\/path|needs 'httpUri'/, uri);
  }
});

test("a name that is nearly an option's goes to the server, with a warning", () => {
  const [warning, ...others] = diagnosed({ bridgeEndpont: "true", limit: "5", key: "k", scope: "s" });
  assert.deepEqual(others, []);
  assert.equal(warning?.severity, "warning");
  assert.match(
    warning?.message ?? "",
    /has no option 'bridgeEndpont' and sends it to the server \(did you mean 'bridgeEndpoint'\?\)/,
  );
});

test("what is no option is the query, by name, repeated and empty ones too; RAW keeps its text", async (t) => {
  const server = await startHttpServer(t);
  const { error } = await callTo(
    `${server.url}/a?wsdl&b=1&copyHeaders=false&a=x%20y&b=2&c=RAW(p+q%26)&d=`,
    {},
    { e: "é" },
  );
  assert.equal(error, undefined);
  assert.equal(server.heard[0]?.url, "/a?a=x+y&b=1&b=2&c=p%2Bq%2526&d=&e=%C3%A9&wsdl=");
});

test("a flow that calls out says so, and no other does", () => {
  const network = (steps: string): boolean => compileYaml(routeOf(steps)).manifest.network;
  for (const steps of [
    "- to: https://h.example",
    "- choice: { when: [{ simple: '${body}', steps: [{ to: 'http://h.example' }] }] }",
    "- toD: 'http://h.example/${body}'",
    "- toD: '${body}'",
    "- recipientList: { simple: 'direct:a,${body}' }",
    "- wireTap: http://h.example",
    "- enrich: { constant: 'http:h.example' }",
  ])
    assert.equal(network(steps), true, steps);
  for (const steps of [
    "- to: log:http",
    "- toD: 'mock:${body}'",
    "- toD: { uri: '${body}', allowedSchemes: 'direct,mock' }",
    "- recipientList: { simple: 'mock:a,mock:${body}' }",
    "- wireTap: mock:http://h.example",
  ])
    assert.equal(network(steps), false, steps);
});
