/** Redaction: a table of what is hidden and what stays, and that no secret survives in any spelling. */
import assert from "node:assert/strict";
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
  ["the password is wrong", "the password is wrong"],
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

test("text of any kind is redacted in linear time and never fails", () => {
  fc.assert(fc.property(fc.string(), (text) => void redact(text)));
  for (const unit of ["token", "token=", 'token:"', "token:[", "token\\", "passwordpassword ", "bearer "]) {
    redact(unit.repeat(200_000));
  }
});
