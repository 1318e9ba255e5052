/** Route templates: each use is a route, with its own values (conformance cases 22 and 23; Camel: RouteTemplateTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsOf, modelReal, routesOf, warningsOf } from "./real-catalog.ts";

const template = `- routeTemplate:
    id: ticks
    parameters:
      - { name: name }
      - { name: period, defaultValue: "{{base}}00" }
      - { name: delay, required: false }
    from:
      uri: "timer:{{name}}?period={{period}}&delay={{?delay}}"
      steps:
        - log: "{{name}} {{greeting:hi}}"
`;

test("uses give values, defaults fill in, optional ones are left out; the flow's parameters come after the template's own", async () => {
  const uses = `- templatedRoute: { routeTemplateRef: ticks, routeId: one, parameters: [{ name: name, value: a }] }
${template}- templatedRoute:
    routeTemplateRef: ticks
    parameters: [{ name: name, value: b }, { name: period, value: 50 }, { name: delay, value: 7 }]
`;
  const params = { base: "5", name: "the flow's", greeting: "hello" };
  assert.deepEqual(await routesOf(uses, params), [
    "one timer:a?period=500 [log]",
    "shop-ticks timer:b?period=50&delay=7 [log]",
  ]);
  const { routes } = await modelReal(uses, params);
  const { message } = routes[0]?.steps[0]?.options as { message: { text: string } };
  assert.equal(message.text, "a hello");
});

test("a template with route keeps its attributes; prefixId stands before its steps' ids", async () => {
  const yaml = `- routeTemplate:
    id: t
    route: { id: r, nodePrefixId: n-, autoStartup: false, from: { uri: timer:t, steps: [{ log: { id: l, message: hi } }] } }
- templatedRoute: { routeTemplateRef: t, prefixId: a- }
- templatedRoute: { routeTemplateRef: t, prefixId: b-, routeId: second }
`;
  const { routes } = await modelReal(yaml);
  assert.deepEqual(
    routes.map(({ id, autoStartup, steps }) => [id, autoStartup, steps[0]?.id]),
    [
      ["r", false, "a-n-l"],
      ["second", false, "b-n-l"],
    ],
  );
  const twice = yaml.replaceAll(/, prefixId: .-/g, "");
  assert.match((await errorsOf(twice))[0] as string, /^5:3 duplicate_step_id .*give this use a 'prefixId'/);
});

test("beans of a template are each use's own", async () => {
  const { beans, routes } = await modelReal(`- routeTemplate:
    id: t
    parameters: [{ name: size }]
    beans:
      - { name: seen, type: org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository, properties: { cacheSize: "{{size}}" } }
    from: { uri: timer:t, steps: [{ log: "#{{seen}}" }] }
- templatedRoute: { routeTemplateRef: t, routeId: a, parameters: [{ name: size, value: 5 }] }
- templatedRoute: { routeTemplateRef: t, routeId: b, parameters: [{ name: size, value: 6 }] }
`);
  assert.deepEqual(
    beans?.map(({ name, properties }) => [name, properties["cacheSize"]]),
    [
      ["seen-a", "5"],
      ["seen-b", "6"],
    ],
  );
  assert.match(JSON.stringify(routes[1]?.steps[0]?.options), /#seen-b/);
});

test("a template that nothing uses is not checked, and its placeholders count as uses of parameters", async () => {
  const yaml = `${template}- from: { uri: timer:t, steps: [{ stop: {} }] }\n`;
  const [first, second] = await warningsOf(yaml, { base: 1 });
  assert.match(first as string, /^1:3 unused_template /);
  assert.match(second as string, /generated_id/);
  assert.match((await errorsOf(template))[0] as string, /no_routes/);
});

test("a mistake inside of a template is told once, at its place; one in a value at the value's", async () => {
  const uses = (
    value: string,
  ): string => `- templatedRoute: { routeTemplateRef: ticks, parameters: [{ name: name, value: a }] }
- templatedRoute: { routeTemplateRef: ticks, parameters: [{ name: name, value: b }, { name: delay, value: ${value} }] }
`;
  const wrong = template.replace("log:", "lgo:");
  const errors = await errorsOf(wrong + uses("5"), { base: 1 });
  assert.deepEqual(errors.length, 1);
  assert.match(errors[0] as string, /^10:11 unknown_step/);
  const whole = template.replace(
    '"timer:{{name}}?period={{period}}&delay={{?delay}}"',
    'timer:t\n      parameters: { delay: "{{?delay}}" }',
  );
  assert.match((await errorsOf(whole + uses("soon"), { base: 1 }))[0] as string, /^13:107 invalid_value .*'delay'/);
});

test("what is missing or unknown is told at the use", async () => {
  const of = (use: string): Promise<string[]> => errorsOf(`${template}- templatedRoute: ${use}\n`, { base: 1 });
  assert.match((await of("{ routeTemplateRef: ticks }")).join(), /^11:3 missing_option .*'name'$/);
  assert.match((await of("{ routeTemplateRef: tick }")).join(), /^11:39 unknown_template .*did you mean 'ticks'/);
  assert.match((await of("{ parameters: [] }")).join(), /^11:3 missing_option .*routeTemplateRef/);
  assert.match((await of("{ routeTemplateRef: ticks, routeid: a }")).join(), /^11:46 unknown_option .*'routeId'/);
  const misspelt = await of("{ routeTemplateRef: ticks, parameters: [{ name: name, value: a, vale: b }] }");
  assert.match(misspelt.join(), /^11:83 unknown_option 'parameters' has no 'vale' \(did you mean 'value'\?\)/);
  const declared = template.replace("{ name: name }", "{ name: name, requird: false }");
  assert.notEqual(declared, template);
  const use = "- templatedRoute: { routeTemplateRef: ticks, parameters: [{ name: name, value: a }] }\n";
  assert.match((await errorsOf(declared + use, { base: 1 })).join(), /unknown_option 'parameters' has no 'requird'/);
  const missing = await errorsOf(
    `${template}- templatedRoute: { routeTemplateRef: ticks, parameters: [{ name: name, value: a }] }\n`,
  );
  assert.match(missing.join(), /^5:40 missing_param .*\{\{base:default\}\}$/);
});

test("a flow's templates make no more of it than a bound", async () => {
  const steps = Array.from({ length: 200 }, () => "      - { stop: {} }").join("\n");
  const uses = Array.from(
    { length: 500 },
    (_, at) => `- templatedRoute: { routeTemplateRef: t, routeId: r${at} }`,
  ).join("\n");
  const errors = await errorsOf(
    `- routeTemplate:\n    id: t\n    from:\n      uri: timer:t\n      steps:\n${steps}\n${uses}\n`,
  );
  assert.match(errors[0] as string, /expansion_size/);
});
