/** Beans of classes that the runtime has its own of (conformance case 16); each other is one diagnostic. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsOf, modelReal } from "./real-catalog.ts";

const route = "- route: { id: r, from: { uri: timer:t, steps: [{ stop: {} }] } }\n";
const memory = "org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository";

test("a bean has its class and its properties, whether they are nested or dotted", async () => {
  const { beans } = await modelReal(
    `- beans:
    - { name: a, type: "#class:${memory}", properties: { cacheSize: "{{size}}" } }
    - { name: b, type: org.apache.camel.processor.aggregate.StringAggregationStrategy, properties: { delimiter: "," } }
- beans: []
${route}`,
    { size: 7 },
  );
  assert.deepEqual(
    beans?.map(({ name, type, properties, at }) => [name, type, { ...properties }, at.line]),
    [
      ["a", memory, { cacheSize: "7" }, 2],
      ["b", "org.apache.camel.processor.aggregate.StringAggregationStrategy", { delimiter: "," }, 3],
    ],
  );
});

const refused: readonly (readonly [bean: string, expected: RegExp])[] = [
  [
    "{ name: a, type: com.acme.Foo, properties: { x: { y: 1 } } }",
    /^2:24 not_yet bean 'a': type 'com.acme.Foo' runs on the JVM/,
  ],
  ["{ name: a, type: org.x.MemoryIdempotentRepository }", /^2:24 not_yet .*did you mean 'org\.apache\.camel\.support/],
  ["{ name: a, type: org.x.MemoryIdempotentRepositry }", /^2:24 not_yet .*did you mean 'org\.apache\.camel\.support/],
  [`{ name: a, type: ${memory}, properties: { cashSize: 1 } }`, /^2:7 unknown_option .*did you mean 'cacheSize'/],
  [`{ name: a, type: "#class:${memory}(5)" }`, /^2:7 unknown_option .*no constructor arguments/],
  [`{ name: a, type: ${memory}, initMethod: go }`, /not_yet .*'initMethod' calls Java code/],
  ["{ name: a, script: 'x', scriptLanguage: groovy }", /^2:18 not_yet bean 'a' is made by a script/],
  ["{ type: com.acme.Foo }", /^2:7 missing_option a bean needs 'name'/],
  ["{ name: a }", /^2:7 missing_option bean 'a' needs 'type'/],
  [`{ name: a, type: ${memory}, scriptLanguage: groovy }`, /made by a script, which runs on the JVM/],
  ["{ name: a, tpye: x }", /^2:18 unknown_option .*did you mean 'type'/],
  ["just text", /^2:7 wrong_type/],
];

for (const [bean, expected] of refused) {
  test(bean, async () => {
    const errors = await errorsOf(`- beans:\n    - ${bean}\n${route}`);
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.match(errors[0] as string, expected);
  });
}

test("a name is one bean's", async () => {
  const errors = await errorsOf(
    `- beans:\n    - { name: a, type: ${memory} }\n    - { name: a, type: ${memory} }\n${route}`,
  );
  assert.match(errors.join(), /^3:7 duplicate_bean .*line 2, column 7$/);
});
