/** `${vmap:...}` of simple. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { mappingsOf } from "../../support/with-mappings.ts";
import { failureOf, holds, type InFlow, refusalOf, resultOf } from "./in-flow.ts";

const mappings = mappingsOf({
  "order-status": {
    rows: [
      { crm: "New", erp: "ZNEW" },
      { crm: "12:30", erp: 5 },
      { crm: "", erp: "none" },
      { crm: "it's", erp: true },
    ],
  },
  three: { rows: [{ "a:b": "x", c: "y", d: "z" }] },
});
const status = new JsonText('{"status": "New", "n": 5}', { status: "New", n: 5 });

function vmapOf(text: string, inFlow: InFlow = {}): Promise<unknown> {
  return resultOf("simple", text, { mappings, body: status, ...inFlow });
}

test("the value is a text or a function, columns may be left out where there are two", async () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ["${vmap:order-status:crm:erp:${body[status]}}", "ZNEW"],
    ["${vmap:order-status:crm:erp:New}", "ZNEW"],
    ["${vmap:order-status:New}", "ZNEW"],
    ["${vmap: order-status : crm : erp : New }", "ZNEW"],
    ["${vmap:order-status:erp:crm:${body[n]}}", "12:30"],
    ["<${vmap:order-status:N${header.rest}}>", "<ZNEW>"],
    ["${vmap:order-status:crm:erp:12:30}", 5],
    ["${vmap:order-status:'12:30'}", 5],
    ["${vmap:order-status:${vmap:order-status:erp:crm:5}}", 5],
    ['${vmap:order-status:"${body[status]}"}', "ZNEW"],
    ["${vmap:order-status:''}", "none"],
    ["${vmap:order-status:it's}", true],
    ["${vmap:three:'a:b':c:x}", "y"],
  ];
  for (const [text, value] of cases) {
    assert.equal(await vmapOf(text, { headers: { rest: "ew" } }), value, text);
  }
  assert.equal(
    await holds("simple", "${vmap:order-status:${body[status]}} == 'ZNEW'", { mappings, body: status }),
    true,
  );
  assert.equal(await vmapOf("${body[status]} ~> ${vmap:order-status:${body}}"), "ZNEW");
});

test("a failure is the lookup's own", async () => {
  const failure = async (text: string) => (await failureOf("simple", text, { mappings })) ?? "no failure";
  assert.equal(
    await failure("${vmap:order-status:Lost}"),
    `ValueMappingNotFoundException: value mapping 'order-status': "Lost" is not mapped from "crm" to "erp"`,
  );
  assert.match(await failure("${vmap:order-status:x:erp:New}"), /there is no column "x": there are "crm", "erp"$/);
  assert.match(await failure("${vmap:three:x}"), /say from which column to which/);
  assert.match(await failure("${vmap:gone:x}"), /there is no value mapping 'gone'/);
});

test("what is not a lookup is refused with its place", async () => {
  const usage = /write \$\{vmap:id:from:to:value\}, or \$\{vmap:id:value\} for a mapping with two columns$/;
  for (const text of [
    "${vmap}",
    "${vmap:}",
    "${vmap:a}",
    "${vmap:a:}",
    "${vmap::x}",
    "${vmap:a:b:c}",
    "${vmap:a:b:c:}",
    "${vmap(a,b)}",
  ]) {
    assert.match(await refusalOf("simple", text), usage, text);
  }
  assert.match(await refusalOf("simple", "${vmap:a/b:x}"), /"a\/b": an id has 1 to 128 characters/);
  assert.match(
    await refusalOf("simple", "${vmap:${body}:x}"),
    /^flow:6:\d+: .*are fixed texts: a flow is given the mappings that it names/,
  );
  assert.match(await refusalOf("simple", "${vmap:a:b:${body}:x}"), /are fixed texts/);
});
