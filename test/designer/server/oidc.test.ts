/** The login at an OpenID Connect provider: a real one, on this machine. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Provider } from "oidc-provider";
import type { People, Session } from "../../../designer/shared/wire.ts";
import { startTestDesigner } from "./support/start-designer.ts";

const clientSecret = "a-secret-of-the-designer-at-the-provider";

/** A provider whose people log in by their name alone; `groups` of a name are those after its dash. */
async function startProvider(t: TestContext, callbacks: readonly string[]): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "designer", client_secret: clientSecret, redirect_uris: [...callbacks] }],
    claims: { openid: ["sub"], profile: ["preferred_username", "groups"] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, groups: id.split("-").slice(1) }),
    }),
  });
  server.on("request", provider.callback());
  return issuer;
}

/** A browser that follows redirects, keeps cookies by address, and fills in the provider's forms. */
function startBrowser(name: string) {
  const jars = new Map<string, Map<string, string>>();
  const go = async (url: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const answer = await fetch(url, {
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
      redirect: "manual",
      headers: { Cookie: [...jar].map(([key, value]) => `${key}=${value}`).join("; "), "Sec-Fetch-Site": "cross-site" },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(key, value);
    }
    const location = answer.headers.get("location");
    if (location !== null && location !== "/") return go(new URL(location, url).href);
    const page = answer.headers.get("content-type")?.startsWith("text/html") ? await answer.clone().text() : "";
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
    if (action === undefined) return answer;
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "login";
    return go(new URL(action, url).href, prompt === "login" ? { prompt, login: name, password: "x" } : { prompt });
  };
  return {
    go,
    cookies: (host: string) => [...(jars.get(host) ?? [])].map(([key, value]) => `${key}=${value}`).join("; "),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

test("people log in at the provider, and its groups give them their role, or none", async (t) => {
  const port = await freePort();
  const issuer = await startProvider(t, [`http://127.0.0.1:${port}/designer/login/callback`]);
  const { json, call, url } = await startTestDesigner(t, {
    env: {
      ...{
        DESIGNER_PORT: String(port),
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: "designer",
        OIDC_CLIENT_SECRET: clientSecret,
      },
      ...{ OIDC_ROLE_CLAIM: "groups", OIDC_ROLES: "devs=editor, ops=operator" },
    },
  });
  assert.equal((await json<Session>("GET", "/designer/session")).login, "oidc");
  const sessionOf = async (name: string) => {
    const browser = startBrowser(name);
    const answer = await browser.go(`${url}/designer/login/oidc`);
    const Cookie = browser.cookies(new URL(url).host);
    return { answer, Cookie, session: await json<Session>("GET", "/designer/session", undefined, { Cookie }) };
  };
  assert.deepEqual((await sessionOf("ada-devs")).session.user, { name: "ada-devs", role: "editor" });
  const eve = await sessionOf("eve-devs-ops");
  assert.deepEqual(eve.session.user, { name: "eve-devs-ops", role: "operator" });
  const people = await json<People>("GET", "/designer/people", undefined, { Cookie: eve.Cookie });
  const roles = [
    ["devs", "editor"],
    ["ops", "operator"],
  ];
  assert.deepEqual([people.users, people.provider], [[], { issuer: `${issuer}/`, claim: "groups", roles }]);
  assert.deepEqual(
    people.sessions.map(({ name }) => name),
    ["ada-devs", "eve-devs-ops"],
  );
  const none = await sessionOf("bob-sales");
  assert.deepEqual([none.answer.status, none.session.user], [403, null]);
  assert.match(await none.answer.text(), /'bob-sales' has no role here/);
  const forged = await call("GET", "/designer/login/callback?code=x&state=y", undefined, {
    "Sec-Fetch-Site": "cross-site",
  });
  assert.equal(forged.status, 400);
});
