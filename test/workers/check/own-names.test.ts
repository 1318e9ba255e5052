/** What a step has set comes before what came with the message, and the deployment warns where that differs from Camel. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { check } from "../../../src/workers/check-tasks.ts";
import { namedValue } from "../../../src/workers/components/database/parameters.ts";
import { anExchange } from "../../support/exchange.ts";

async function warned(from: string, steps: string, code: string): Promise<readonly string[]> {
  const yaml = `- route:
    id: main
    from:
      uri: "${from}"
      steps:
${steps.trim().replaceAll(/^/gm, "        ")}
`;
  const { diagnostics, flow } = await check({ flowId: "main", yaml, params: {}, limits: defaultLimits });
  assert.ok(flow !== undefined, JSON.stringify(diagnostics));
  return diagnostics.filter((one) => one.code === code).map(({ message }) => message);
}

test("a name that a step sets and a statement takes is warned of once, with the spelling that takes the body", async () => {
  const twice = `
- setVariable: { name: tenant, constant: a }
- to: "sql:select * from t where tenant = :#tenant and id = :#id?dataSource=#db"
- to: "sql:select * from u where tenant in (:#in:tenant)?dataSource=#db"`;
  const [message = "", ...others] = await warned("direct:x", twice, "own_name");
  assert.deepEqual(others, []);
  assert.match(
    message,
    /^:#tenant is the variable that the step 'setVariable1' sets.*:#\$\{body\.tenant\}.*:#\$\{variable\.tenant\}/,
  );
  for (const set of ["setHeader: { name: ID, constant: 1 }", "setProperty: { name: id, constant: 1 }"])
    assert.equal((await warned("direct:x", `- ${set}${twice}`, "own_name")).length, 2, set);
  const [, ...rest] = twice.trim().split("\n");
  assert.deepEqual(await warned("direct:x", rest.join("\n"), "own_name"), []);
});

test("a flow that begins with a broker's message is warned when that message addresses mails, and when nothing does", async () => {
  const broker = "kafka:orders?brokers=#events";
  const mails: readonly (readonly [from: string, steps: string, found: RegExp | undefined])[] = [
    [broker, '- to: "smtp?to=ada@example.org"', undefined],
    [broker, '- to: "smtp?to=ada@example.org&useHeaderRecipients=true"', /who may send messages to 'kafka' addresses/],
    [broker, '- to: "smtp?to=ada@example.org&useHeaderFrom=true"', /with useHeaderFrom/],
    [broker, "- to: smtp", /has no recipients.*useHeaderRecipients=true/],
    [broker, "- setHeader: { name: to, constant: a@example.org }\n- to: smtp", undefined],
    ["webhook", "- to: smtp", undefined],
  ];
  for (const [from, steps, found] of mails) {
    const all = await warned(from, steps, "delivered_address");
    assert.equal(all.length, found === undefined ? 0 : 1, steps);
    if (found !== undefined) assert.match(all[0] ?? "", found);
  }
});

/** Where a value of the name can be, the one that counts first. */
const places = ["set header", "property", "variable", "body", "received header"] as const;

test("whatever a caller sends, a name that a step has set is the step's", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...places), { minLength: 1 }), (present) => {
      const exchange = anExchange();
      const has = (place: (typeof places)[number]): boolean => present.includes(place);
      if (has("received header")) exchange.message.headers.receive("tenant", "received header");
      if (has("set header")) exchange.message.headers.set("tenant", "set header");
      if (has("property")) exchange.properties.set("tenant", "property");
      if (has("variable")) exchange.variables.set("tenant", "variable");
      exchange.message.body = has("body") ? { tenant: "body" } : {};
      const found = namedValue("tenant", { exchange, value: exchange.message.body });
      assert.equal(found, places.find(has));
    }),
  );
});
