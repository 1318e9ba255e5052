/** The environment as configuration: defaults, every problem at once, and no token left behind. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { test } from "node:test";
import { ConfigError, type Environment, readConfig } from "../../../src/control/config.ts";
import { variablesOf } from "../../../src/control/stores/flow-environment.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";

const token = "0123456789abcdef0123456789abcdef";

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    for (const line of error.lines) assert.ok(error.message.includes(line));
    return error.lines;
  }
  return [];
}

test("without variables everything has its default, and the missing token is told", () => {
  const { tokens, port, host, routesDirectory, dataDirectory, logLevel, limits, ceilings, warnings } = readConfig({});
  assert.deepEqual(tokens, { current: undefined, previous: undefined });
  assert.deepEqual([port, host, logLevel], [8080, "127.0.0.1", "INFO"]);
  assert.deepEqual([routesDirectory, dataDirectory], [resolve("routes"), resolve("data")]);
  assert.deepEqual(limits, defaultLimits);
  assert.equal(ceilings.threads, 16);
  assert.equal(ceilings.managementBodyBytes, undefined);
  assert.deepEqual(warnings, ["SERVICE_DEPLOY_TOKEN is not configured: the management API answers 503"]);
});

test("variables are read, and empty ones count as unset", () => {
  const config = readConfig({
    SERVICE_DEPLOY_TOKEN: token,
    PORT: "0",
    HOST: "::",
    ROUTES_DIR: "/srv/routes",
    DATA_DIR: " ",
    LOG_LEVEL: "Debug",
    LIMIT_QUEUE: "7",
    LIMIT_THREADS: "20",
    LIMIT_THREADS_CEILING: "32",
    LIMIT_CHECK_MS: "",
  });
  assert.deepEqual([config.port, config.host, config.logLevel], [0, "::", "DEBUG"]);
  assert.deepEqual([config.routesDirectory, config.dataDirectory], ["/srv/routes", resolve("data")]);
  assert.deepEqual(config.limits, { ...defaultLimits, queue: 7, threads: 20 });
  assert.equal(config.ceilings.threads, 32);
  assert.deepEqual(config.warnings, []);
});

test("a variable that is near to one of the runtime's is warned of, beside other problems too", () => {
  const variables = {
    SERVICE_DEPLOY_TOKEN: token,
    EGRESS_ALLOWED: "crm:443",
    data_dir: "/srv/data",
    ROUTE_DIR: "/srv",
  };
  const expected = [
    "EGRESS_ALLOWED has no effect: did you mean EGRESS_ALLOW?",
    "data_dir has no effect: did you mean DATA_DIR?",
    "ROUTE_DIR has no effect: did you mean ROUTES_DIR?",
  ];
  assert.deepEqual(readConfig({ ...variables }).warnings, expected);
  assert.deepEqual(problemsOf({ ...variables, PORT: "no" }).slice(1), expected);
});

test("variables of others are not warned of: short names, and what flows read", () => {
  const { warnings } = readConfig({
    SERVICE_DEPLOY_TOKEN: token,
    REPORT: "x",
    HOSTNAME: "x",
    EGRESS_ALLOWED: "x",
    ENV_ALLOW: "EGRESS_ALLOWED",
  });
  assert.deepEqual(warnings, []);
});

test("files of flows have a directory in which none of the runtime's own can be", () => {
  assert.equal(readConfig({ DATA_DIR: "/srv/data" }).filesDirectory, "/srv/data/files");
  assert.equal(readConfig({ DATA_DIR: "/srv/data", FILES_DIR: "/srv/inbox/" }).filesDirectory, "/srv/inbox");
  const given = { ROUTES_DIR: "/srv/routes", DATA_DIR: "/srv/data" };
  for (const [path, problem] of [
    ["/srv", /^FILES_DIR: ROUTES_DIR \(\/srv\/routes\) is in it/],
    ["/srv/routes", /^FILES_DIR: ROUTES_DIR .* is in it/],
    ["/srv/data", /^FILES_DIR: DATA_DIR .* is in it/],
    ["/srv/data/flows", /^FILES_DIR: in DATA_DIR it can be \/srv\/data\/files only/],
    ["/srv/*/x", /^FILES_DIR: its path has a '\*'/],
  ] as const) {
    assert.match(problemsOf({ ...given, FILES_DIR: path })[0] ?? "", problem);
  }
});

test("only digests of the tokens are kept, and the variables are gone", () => {
  const env: Environment = { SERVICE_DEPLOY_TOKEN: ` ${token}\n`, SERVICE_DEPLOY_TOKEN_PREVIOUS: "short", OTHER: "1" };
  const { tokens, warnings } = readConfig(env);
  assert.deepEqual(env, { OTHER: "1" });
  assert.deepEqual(tokens.current, createHash("sha256").update(token).digest());
  assert.deepEqual(tokens.previous, createHash("sha256").update("short").digest());
  assert.deepEqual(warnings, [
    "SERVICE_DEPLOY_TOKEN has white space around it, which is not part of the token",
    "SERVICE_DEPLOY_TOKEN_PREVIOUS has fewer than 32 characters: a longer one is harder to guess",
  ]);
});

test("a blank token is none, and the previous one alone does not count", () => {
  const { tokens, warnings } = readConfig({ SERVICE_DEPLOY_TOKEN: " \t", SERVICE_DEPLOY_TOKEN_PREVIOUS: token });
  assert.deepEqual(tokens, { current: undefined, previous: undefined });
  assert.match(warnings.join(), /not configured.*PREVIOUS alone is not accepted/);
});

test("the tokens are removed also when something else is wrong", () => {
  const env = { SERVICE_DEPLOY_TOKEN: token, PORT: "x" };
  assert.throws(() => readConfig(env), ConfigError);
  assert.deepEqual(env, { PORT: "x" });
});

test("all problems are told together, each with its variable and what is allowed", () => {
  const lines = problemsOf({
    PORT: "80a",
    HOST: "a b",
    LOG_LEVEL: "verbose",
    LIMIT_QUEUE: "0",
    LIMIT_IDLE_MS: "9999999999",
    LIMIT_CHECK_MS_CEILING: "5",
    LIMIT_TREADS: "2",
    LIMIT_DRAIN_MS: "1.5",
    SECRETS_DIR: "secrets",
    SECRETS_ENV_PREFIX: "LIMIT_",
  });
  assert.deepEqual(lines, [
    "PORT: '80a' is not a port: give a whole number from 0 to 65535 (0: any free port)",
    "HOST: 'a b' is not an address: give an IP address or a host name, such as 127.0.0.1 or ::",
    "LOG_LEVEL: 'verbose' is not a level: give trace, debug, info, warn or error",
    "LIMIT_QUEUE: '0' is not allowed: give a whole number from 1 to 9007199254740991 (count)",
    "LIMIT_IDLE_MS: '9999999999' is not allowed: give a whole number from 1 to 2147483647 (ms)",
    "LIMIT_DRAIN_MS: '1.5' is not allowed: give a whole number from 1 to 2147483647 (ms)",
    "LIMIT_CHECK_MS_CEILING: flows may not set this limit, so it has no ceiling",
    "LIMIT_TREADS: there is no such limit (did you mean LIMIT_THREADS?)",
    "SECRETS_DIR: 'secrets' is not an absolute path",
    "SECRETS_ENV_PREFIX: LIMIT_ begins with it or is its beginning, which is the runtime's own",
  ]);
});

test("a port beyond 65535, one directory for both, and a limit over its ceiling are refused", () => {
  assert.match(problemsOf({ PORT: "65536" })[0] ?? "", /^PORT: '65536'/);
  assert.match(problemsOf({ PORT: "-1" })[0] ?? "", /^PORT: '-1'/);
  assert.match(problemsOf({ ROUTES_DIR: "./x", DATA_DIR: "x" })[0] ?? "", /^DATA_DIR: .*ROUTES_DIR/);
  assert.match(
    problemsOf({ LIMIT_THREADS: "17" })[0] ?? "",
    /^LIMIT_THREADS: 17 is over.*\(16\).*LIMIT_THREADS_CEILING/,
  );
});

test("what test sessions may be for is session or deployment", () => {
  const { testScope, warnings } = readConfig({ SERVICE_DEPLOY_TOKEN: token, TEST_SCOPE: "session" });
  assert.equal(testScope, "session");
  assert.deepEqual(warnings, []);
  assert.equal(readConfig({ SERVICE_DEPLOY_TOKEN: token }).testScope, "deployment");
  assert.match(problemsOf({ TEST_SCOPE: "all" })[0] ?? "", /^TEST_SCOPE: 'all' is neither session .* nor deployment/);
});

test("proxies in front are read as addresses and ranges; an entry that is none ends the start", () => {
  const { trustedProxies, warnings } = readConfig({ SERVICE_DEPLOY_TOKEN: token, TRUST_PROXY: "10.0.0.0/8, ::1" });
  assert.deepEqual(["10.1.2.3", "::1", "11.1.2.3"].map(trustedProxies.isTrusted), [true, true, false]);
  assert.deepEqual(warnings, []);
  assert.equal(readConfig({ SERVICE_DEPLOY_TOKEN: token }).trustedProxies.isTrusted("127.0.0.1"), false);
  assert.match(problemsOf({ TRUST_PROXY: "nginx" })[0] ?? "", /^TRUST_PROXY: 'nginx' is no address and no range/);
});

test("what flows may call besides is read as rules; an entry that is none ends the start", () => {
  const { egressAllow } = readConfig({ SERVICE_DEPLOY_TOKEN: token, EGRESS_ALLOW: "10.0.0.0/8, *.erp.local:443" });
  assert.deepEqual(egressAllow, [
    { kind: "net", address: "10.0.0.0", bits: 8 },
    { kind: "host", host: "erp.local", below: true, port: 443 },
  ]);
  assert.deepEqual(readConfig({ SERVICE_DEPLOY_TOKEN: token }).egressAllow, []);
  assert.match(
    problemsOf({ EGRESS_ALLOW: "http://erp" })[0] ?? "",
    /^EGRESS_ALLOW: 'http:\/\/erp' is no rule: give a host name/,
  );
});

test("variables that flows may read are named for every flow or for a group; those that hold secrets end the start", () => {
  const env: Environment = { ENV_ALLOW: "REGION,STAGE; team-a=CRM_HOST", REGION: "eu", CRM_HOST: "crm" };
  const { environment } = readConfig(env);
  assert.deepEqual(
    [...variablesOf(environment, "f")],
    [
      ["REGION", true],
      ["STAGE", false],
    ],
  );
  assert.deepEqual([...variablesOf(environment, "team-a.f").keys()], ["REGION", "STAGE", "CRM_HOST"]);
  for (const name of ["SERVICE_DEPLOY_TOKEN", "LIMIT_STEPS", "MY_S_KEY", "CRM_PASSWORD", "GITHUB_TOKEN"]) {
    const [line = ""] = problemsOf({ ENV_ALLOW: `team-a=${name}`, SECRETS_ENV_PREFIX: "MY_S_" });
    assert.match(line, new RegExp(`^ENV_ALLOW: '${name}': it is the runtime's own, or named like`));
  }
  assert.match(problemsOf({ ENV_ALLOW: "A B-C" })[0] ?? "", /^ENV_ALLOW: 'B-C': a variable's name has/);
  assert.match(problemsOf({ ENV_ALLOW: "a.b=C" })[0] ?? "", /^ENV_ALLOW: 'a\.b' is not a group/);
});

test("secrets are taken out of the environment, and a place that is none is refused by its variable", () => {
  const env: Environment = {
    SECRETS_DIR: "/srv/secrets",
    SECRETS_ENV_PREFIX: "BULKHEAD_SECRET_",
    BULKHEAD_SECRET_orders__KEY: "value-of-orders",
    BULKHEAD_SECRET__shared__KEY: "value-of-all",
  };
  const { secrets } = readConfig(env);
  assert.deepEqual(Object.keys(env), ["SECRETS_DIR", "SECRETS_ENV_PREFIX"]);
  assert.equal(secrets.directory, "/srv/secrets");
  assert.deepEqual(
    ["orders", "_shared", "others"].map((owner) => secrets.variables.value(owner, "KEY")),
    ["value-of-orders", "value-of-all", undefined],
  );
  for (const [given, problem] of [
    [{ SECRETS_DIR: "secrets" }, /^SECRETS_DIR: 'secrets' is not an absolute path/],
    [{ SECRETS_DIR: "/srv/routes/s", ROUTES_DIR: "/srv/routes" }, /^SECRETS_DIR: it is in ROUTES_DIR/],
    [{ SECRETS_DIR: "/srv", DATA_DIR: "/srv/data" }, /^SECRETS_DIR: DATA_DIR .* is in it/],
    [{ SECRETS_ENV_PREFIX: "LIMIT_" }, /^SECRETS_ENV_PREFIX: LIMIT_/],
    [{ SECRETS_ENV_PREFIX: "SERVICE_" }, /^SECRETS_ENV_PREFIX: SERVICE_DEPLOY_TOKEN/],
    [
      { SECRETS_ENV_PREFIX: "MY_S_", MY_S_KEY: "value-in-clear" },
      /^MY_S_KEY: a secret's variable is MY_S_<flow id>__<NAME>/,
    ],
    [{ AUDIT_STRICT: "yes" }, /^AUDIT_STRICT: 'yes' is neither true nor false/],
  ] as const) {
    const [line = "", ...others] = problemsOf({ ...given });
    assert.match(line, problem);
    assert.deepEqual(others, []);
    assert.ok(!line.includes("value-in-clear"));
  }
  assert.deepEqual([readConfig({}).auditStrict, readConfig({ AUDIT_STRICT: "true" }).auditStrict], [false, true]);
});
