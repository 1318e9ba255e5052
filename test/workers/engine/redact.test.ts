/** Redaction: a table of what is hidden and what stays, and that no secret survives in any spelling. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { isSecretName, redact, redactHeader } from "../../../src/shared/redact.ts";

const table: readonly (readonly [text: string, shown: string])[] = [
  ['{"password": "x"}', '{"password": "***"}'],
  ['{"user":"a","client_secret":"x\\"y","n":1}', '{"user":"a","client_secret":"***","n":1}'],
  ['{"pin":1,"accessToken":12345}', '{"pin":1,"accessToken":***}'],
  ['{"tokens":["a","b"],"n":1}', '{"tokens":***,"n":1}'],
  ['{"credentials":{"user":"a","pass":"}"},"n":1}', '{"credentials":***,"n":1}'],
  ['{"password":"cut off he', '{"password":"***'],
  ['{"a":"{\\"password\\":\\"x y\\",\\"n\\":1}"}', '{"a":"{\\"password\\":\\"***\\",\\"n\\":1}"}'],
  ["https://host/p?api_key=abc&x=1", "https://host/p?api_key=***&x=1"],
  ["api-key: abc, x: 1", "api-key: ***, x: 1"],
  ["passwd=abc; x=1", "passwd=***; x=1"],
  ["PRIVATE_KEY = abc", "PRIVATE_KEY = ***"],
  ["token => abc", "token => ***"],
  ["token%3Dabc&x", "token%3D***&x"],
  ["Authorization: Digest a=b, c=d\nHost: x", "Authorization: ***\nHost: x"],
  ["{Cookie=a=b; c=d}", "{Cookie=***}"],
  ["sent with Bearer abc.def-1", "sent with Bearer ***"],
  ["sent with basic QWxhZGRpbg==", "sent with basic ***"],
  ["token: Bearer abc def", "token: *** def"],
  ["bearer=abc", "bearer=***"],
  ["x=1&password='')a%20b&y=2", "x=1&password=***&y=2"],
  ["x=1&user[password]=%22%22a&y=2", "x=1&user[password]=***&y=2"],
  ["password='a b', c", "password='***', c"],
  ["auth=Bearer%20a%2Bb&x", "auth=Bearer%20***&x"],
  ["password=a)b,c;d x", "password=*** x"],
  ["(password=abc)", "(password=***)"],
  ["user[password]=abc&x=1", "user[password]=***&x=1"],
  ["%22password%22%3A%22a'b%22%2C%22n%22%3A1", "%22password%22%3A%22***%22%2C%22n%22%3A1"],
  ['{"password"\n:\n"x y"}', '{"password"\n:\n"***"}'],
  ['{"password":"***abc"}', '{"password":"***"}'],
  ['<ns:password type="a">x y</ns:password>', '<ns:password type="a">***</ns:password>'],
  ["<password><![CDATA[a<b]]></password>", "<password><![CDATA[***]]></password>"],
  ["<token/>abc", "<token/>abc"],
  ["token == abc", "token == ***"],
  ["https://user:p@ss:w@host:80/x", "https://user:***@host:80/x"],
  ["redis://:pw@host", "redis://:***@host"],
  ["to http:user:p@ss:w@host:80/x?a=b", "to http:user:***@host:80/x?a=b"],
  ["http:host:80/ann@x.org http:ann@host:80", "http:host:80/ann@x.org http:ann@host:80"],
  ["u=https%3A%2F%2Fuser%3Apw%40host%2F", "u=https%3A%2F%2Fuser%3A***%40host%2F"],
  ['{"u":"http:\\/\\/a:b@h"}', '{"u":"http:\\/\\/a:***@h"}'],
  ["https://host:80/a@b?c=d:e@f and ann@x.org", "https://host:80/a@b?c=d:e@f and ann@x.org"],
  ["sftp://ann@host:22/", "sftp://ann@host:22/"],
  ["the password is wrong", "the password is wrong"],
  ["basic training, Basic authentication, BASIC AUTH", "basic training, Basic authentication, BASIC AUTH"],
  ["the Bearer token is missing", "the Bearer token is missing"],
  ["secretary=Bob tokenizer: words", "secretary=Bob tokenizer: words"],
  ["order 4711 of customer 12", "order 4711 of customer 12"],
  ["password=", "password="],
];

for (const [text, shown] of table) test(`${text} is shown as ${shown}`, () => assert.equal(redact(text), shown));

test("what is hidden already stays as it is", () => {
  for (const [, shown] of table) assert.equal(redact(shown), shown);
});

test("headers that carry credentials are hidden whatever their case", () => {
  for (const name of ["Authorization", "COOKIE", "Set-Cookie", "x-api-key", "Proxy-Authorization", "X-Auth-Token"]) {
    assert.equal(redactHeader(name, "anything"), "***", name);
  }
  assert.equal(redactHeader("X-Order", "Bearer abcd"), "Bearer ***");
  assert.equal(isSecretName("orderId"), false);
});

const keys = [
  "password",
  "passwd",
  "client_secret",
  "access_token",
  "apiKey",
  "api-key",
  "X-Api-Key",
  "private_key",
  "Authorization",
  "userPassword2",
];
const secret = fc.string({ unit: fc.constantFrom(..."abcXYZ0189.~+/-_="), minLength: 6, maxLength: 40 });
const noise = fc.string({ maxLength: 30 }).filter((text) => !/["'\\{}[\]:=]/.test(text));

test("no secret survives, whatever is around it", () => {
  const spellings: readonly ((key: string, value: string) => string)[] = [
    (key, value) => JSON.stringify({ a: 1, [key]: value, b: [value.length] }),
    (key, value) => JSON.stringify({ inner: { [key]: value } }, null, 2),
    (key, value) => JSON.stringify(JSON.stringify({ [key]: value })),
    (key, value) => JSON.stringify({ [key]: [value, { deep: value }] }),
    (key, value) => `?x=1&${key}=${encodeURIComponent(value)}&y=2`,
    (key, value) => `${key}=${value}`,
    (key, value) => `${key}: ${value}`,
    (key, value) => `{${key}=${value}, b=2}`,
    (key, value) => `${key} = "${value}"`,
    (_key, value) => `Bearer ${value}`,
    (_key, value) => `Authorization: Basic ${value}`,
    (key, value) => `{"${key}":"${value}`,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...spellings),
      fc.constantFrom(...keys),
      secret,
      noise,
      noise,
      (spell, key, value, before, after) => {
        const shown = redact(`${before} ${spell(key, value)} ${after}`);
        assert.ok(!shown.includes(value) || `${before}${after}***`.includes(value), shown);
        assert.ok(!shown.includes(encodeURIComponent(value)) || `${before}${after}`.includes(value), shown);
      },
    ),
    { numRuns: 2000 },
  );
});

/** What the scans begin and end with. */
const hostile = [
  ...'token|token=|token:"|token:[|token\\|password.|bearer |basic\t|<token |<a.|://|://:|:\\/\\/|%3A%2F%2F|%3a%2f%2fx%3A|@|%40'.split(
    "|",
  ),
  ..."token%22%3A%22|%5C|%22|token[1|]| |\n|\"|'|}|token: Basic |***|<![CDATA[".split("|"),
];

const anySecret = fc
  .oneof(fc.string({ minLength: 6 }), fc.string({ unit: "grapheme", minLength: 6 }), secret)
  .filter((value) => value.isWellFormed() && value.trim() !== "");
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const inBase64 = (value: string): string => Buffer.from(value).toString("base64");
const inForm = (value: string): string => `${new URLSearchParams({ "": value })}`.slice(1);

test("no secret survives an encoding, whatever characters it has", () => {
  const carriers: readonly ((key: string, value: string) => string)[] = [
    (key, value) => JSON.stringify({ id: 17, [key]: value, at: null }),
    (key, value) => JSON.stringify([{ deep: { [key]: { list: [value, 1], own: value } } }], null, 2),
    (key, value) => JSON.stringify({ inner: JSON.stringify({ inner: JSON.stringify({ [key]: value }), id: 17 }) }),
    (key, value) => encodeURIComponent(JSON.stringify({ [key]: value, id: 17 })),
    (key, value) => encodeURIComponent(JSON.stringify({ inner: JSON.stringify({ [key]: value }) })),
    (key, value) => `${new URLSearchParams({ id: "17", [key]: value, at: "" })}`,
    (key, value) => `${new URLSearchParams({ id: JSON.stringify({ [key]: value }) })}`,
    (key, value) => `/path?id=17&${key}=${encodeURIComponent(value)}#there`,
    (key, value) => `${key}: ${inBase64(value)}`,
    (_key, value) => `-> Basic ${inBase64(`ann:${value}`)}`,
    (_key, value) => `see https://ann:${encodeURIComponent(value)}@host:80/path`,
    (_key, value) => encodeURIComponent(`https://ann:${encodeURIComponent(value)}@host:80/path`),
    (key, value) => `<${key}>${value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</${key}>`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(...carriers), fc.constantFrom(...keys), anySecret, (carry, key, value) => {
      const shown = redact(carry(key, value));
      const around = redact(carry(key, "none"));
      for (const spelling of [value, inJson(value), inForm(value), encodeURIComponent(value), inBase64(value)]) {
        assert.ok(!shown.includes(spelling) || around.includes(spelling), `${carry(key, value)} -> ${shown}`);
      }
      assert.ok(shown.includes("***"), shown);
    }),
    { numRuns: 2000 },
  );
});

test("a header that carries a secret is hidden in whatever case, and its name in a text gives the value away in none", () => {
  const cased = fc
    .tuple(fc.constantFrom("authorization", "x-api-key", "set-cookie", "x-auth-token"), fc.array(fc.boolean()))
    .map(([name, upper]) => [...name].map((c, i) => (upper[i] === true ? c.toUpperCase() : c)).join(""));
  fc.assert(
    fc.property(cased, secret, (name, value) => {
      assert.equal(redactHeader(name, value), "***");
      assert.ok(!redact(`POST / HTTP/1.1\r\n${name}: ${value}\r\nHost: there`).includes(value));
    }),
    { numRuns: 1000 },
  );
});

test("text that names no secret stays as it is", () => {
  const words =
    "order 4711 paid by=ann, {total: 12.5} <item/> https://shop/x?page=2 a@b.org 'x' \"y\" basic: 1 %3D %22 [3]";
  const piece = fc.oneof(fc.constantFrom(...words.split(" ")), fc.string({ maxLength: 8 }));
  const named = /passw|passphrase|pwd|secret|token|bearer|key|authorization|credential|cookie|basic[\s+%]|:\/\//i;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join(" ");
      fc.pre(!named.test(text));
      assert.equal(redact(text), text);
    }),
    { numRuns: 1000 },
  );
});

test("text of any kind can be redacted", () => {
  fc.assert(fc.property(fc.string(), (text) => void redact(text)));
});

// In a process of its own: a scan that began anew at each of 200 000 parts would take many minutes, and could not be stopped here.
test("texts that make scans begin again and again are redacted in linear time", () => {
  const code = `
    const { redact } = await import(${JSON.stringify(new URL("../../../src/shared/redact.ts", import.meta.url))});
    const hostile = ${JSON.stringify(hostile)};
    for (const one of hostile) {
      redact("token" + one.repeat(200_000));
      for (const other of hostile) redact((one + other).repeat(1000));
    }`;
  const { status, signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    timeout: 120_000,
    encoding: "utf8",
  });
  assert.deepEqual([status, signal], [0, null], stderr);
});
