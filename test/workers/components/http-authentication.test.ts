/** How a server is told who calls. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowException } from "../../../src/workers/engine/exception.ts";
import { type Heard, startHttpServer, type TestServer } from "../../support/http-server.ts";
import { runSteps } from "../../support/run-route.ts";
import { callTo, loopback } from "./http-calls.ts";

const basic = `Basic ${Buffer.from("u:p ä").toString("base64")}`;

function told({ heard }: TestServer): (string | undefined)[] {
  return heard.map(({ headers }) => headers.authorization);
}

function challenging(expected: string, challenge: string): Parameters<typeof startHttpServer>[1] {
  return ({ headers }, response) => {
    if (headers.authorization === expected) return response.end("in");
    return response.writeHead(401, { "WWW-Authenticate": challenge }).end("out");
  };
}

test("Basic credentials are sent when the server asks for them, or at once if told so", async (t) => {
  const server = await startHttpServer(t, challenging(basic, 'Basic realm="x"'));
  const credentials = { authMethod: "Basic", authUsername: "u", authPassword: "p ä" };
  const asked = await callTo(server.url, { body: "b" }, credentials);
  assert.deepEqual([asked.error, asked.exchange.message.body], [undefined, "in"]);
  assert.deepEqual(told(server), [undefined, basic]);
  assert.deepEqual(
    server.heard.map(({ body }) => body),
    ["b", "b"],
  );
  await callTo(server.url, {}, { ...credentials, authenticationPreemptive: true });
  assert.deepEqual(told(server).slice(2), [basic]);
  await callTo(`http://u:p%20%C3%A4@${server.host}/`);
  assert.deepEqual(told(server).slice(3), [undefined, basic]);
  const wrong = await callTo(server.url, {}, { ...credentials, authPassword: "no" });
  assert.equal((wrong.error as FlowException).details["statusCode"], 401);
  assert.equal(server.heard.length, 7);
});

test("credentials are not sent to a server that asks for something else, nor where it redirects to", async (t) => {
  const digest = await startHttpServer(t, challenging("-", "Digest realm=x"));
  const credentials = { authUsername: "u", authPassword: "p ä" };
  assert.equal(((await callTo(digest.url, {}, credentials)).error as FlowException).details["statusCode"], 401);
  assert.equal(digest.heard.length, 1);
  const other = await startHttpServer(t, challenging(basic, "Basic"));
  const server = await startHttpServer(t, (_, response) => response.writeHead(307, { Location: other.url }).end());
  const { error } = await callTo(
    server.url,
    { headers: { Authorization: "mine", Cookie: "c", "X-Own": "1" } },
    { ...credentials, followRedirects: true },
  );
  assert.equal((error as FlowException).details["statusCode"], 401);
  const [{ headers } = {} as Heard] = other.heard;
  assert.deepEqual(
    [other.heard.length, headers.authorization, headers.cookie, headers["x-own"]],
    [1, undefined, undefined, "1"],
  );
});

test("a bearer token takes the place of the message's Authorization", async (t) => {
  const server = await startHttpServer(t);
  await callTo(
    server.url,
    { headers: { authorization: "old" } },
    { authMethod: "Bearer", authBearerToken: "RAW(t+1)" },
  );
  assert.deepEqual(told(server), ["Bearer t+1"]);
});

test("OAuth2 client credentials: a token for each request, or kept until it expires", async (t) => {
  let tokens = 0;
  const issuer = await startHttpServer(t, (_, response) => {
    tokens += 1;
    response.end(JSON.stringify({ access_token: `t${tokens}`, expires_in: 3600 }));
  });
  const server = await startHttpServer(t);
  const parameters = {
    oauth2ClientId: "id",
    oauth2ClientSecret: "se:cret",
    oauth2TokenEndpoint: `${issuer.url}/token`,
    oauth2Scope: "a b",
  };
  await callTo(server.url, {}, parameters);
  const [asked] = issuer.heard;
  assert.deepEqual(
    [asked?.method, asked?.url, asked?.body],
    ["POST", "/token", "grant_type=client_credentials&scope=a+b"],
  );
  assert.equal(asked?.headers.authorization, `Basic ${Buffer.from("id:se:cret").toString("base64")}`);
  const step = {
    to: { uri: server.url, parameters: { ...parameters, oauth2CacheTokens: true, oauth2BodyAuthentication: true } },
  };
  const twice = await runSteps(`- loop: { constant: "2", steps: [${JSON.stringify(step)}] }`, { egress: loopback });
  assert.equal(twice.error, undefined);
  assert.deepEqual(told(server), ["Bearer t1", "Bearer t2", "Bearer t2"]);
  assert.match(issuer.heard[1]?.body ?? "", /&client_id=id&client_secret=se%3Acret$/);
  const refusing = await startHttpServer(t, (_, response) => response.writeHead(400).end("no"));
  const { error } = await callTo(server.url, {}, { ...parameters, oauth2TokenEndpoint: refusing.url });
  assert.match((error as FlowException).message, /the OAuth2 token endpoint answers with status 400/);
  assert.equal(server.heard.length, 3);
});

test("a kept OAuth2 token is used up to the margin before its end, and one without an end as long as configured", async (t) => {
  let tokens = 0;
  const issuer = await startHttpServer(t, (_, response) => {
    tokens += 1;
    response.end(JSON.stringify({ access_token: `t${tokens}` }));
  });
  const server = await startHttpServer(t);
  const parameters = {
    oauth2ClientId: "id",
    oauth2ClientSecret: "s",
    oauth2TokenEndpoint: `${issuer.url}/token`,
    oauth2CacheTokens: true,
  };
  const twice = async (times: Readonly<Record<string, number>>): Promise<number> => {
    const before = tokens;
    // Endpoints with the same client share their tokens.
    const own = { ...parameters, oauth2ResourceIndicator: `https://a.example/r${before}` };
    const step = { to: { uri: server.url, parameters: { ...own, ...times } } };
    const { error } = await runSteps(`- loop: { constant: "2", steps: [${JSON.stringify(step)}] }`, {
      egress: loopback,
    });
    assert.equal(error, undefined);
    return tokens - before;
  };
  const oneMinute = { oauth2CachedTokensDefaultExpirySeconds: 60 };
  assert.equal(await twice({}), 1);
  assert.equal(await twice({ ...oneMinute, oauth2CachedTokensExpirationMarginSeconds: 0 }), 1);
  assert.equal(
    await twice({ ...oneMinute, oauth2CachedTokensExpirationMarginSeconds: 60 }),
    2,
    "it is never that far from its end",
  );
  assert.match(issuer.heard[0]?.body ?? "", /&resource=https%3A%2F%2Fa\.example%2Fr0$/);
});

test("a kept OAuth2 token is one for each host and client, also for the addresses that toD makes", async (t) => {
  let tokens = 0;
  const issuer = await startHttpServer(t, (_, response) => {
    tokens += 1;
    response.end(JSON.stringify({ access_token: `t${tokens}`, expires_in: 3600 }));
  });
  const [server, other] = [await startHttpServer(t), await startHttpServer(t)];
  const pages = (url: string, client: string): string =>
    `- loop: { constant: "3", steps: [{ toD: { uri: "${url}/page/\${exchangeProperty.CamelLoopIndex}", parameters: { oauth2CacheTokens: true, oauth2ClientId: ${client}, oauth2ClientSecret: s, oauth2TokenEndpoint: "${issuer.url}/token" } } }] }`;
  const steps = [pages(server.url, "a"), pages(server.url, "b"), pages(other.url, "a"), pages(server.url, "a")];
  const { error } = await runSteps(steps.join("\n"), { egress: loopback });
  assert.equal(error, undefined);
  const authorized = [server, other].map(told);
  assert.deepEqual(authorized, [
    [1, 1, 1, 2, 2, 2, 1, 1, 1].map((token) => `Bearer t${token}`),
    [3, 3, 3].map((token) => `Bearer t${token}`),
  ]);
  assert.deepEqual(
    server.heard.slice(0, 3).map(({ url }) => url),
    ["/page/0", "/page/1", "/page/2"],
  );
});
