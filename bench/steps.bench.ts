/** Single steps and whole routes without a thread, in nanoseconds. `npm run bench -- steps` */
import { bench, group, run } from "mitata";
import { anExchange } from "../test/support/exchange.ts";
import { compileYaml } from "../test/support/run-route.ts";

const steps: Readonly<Record<string, string>> = {
  "setBody constant": "- setBody: { constant: hello }",
  "setBody simple": '- setBody: { simple: "order ${header.n}: ${body}" }',
  log: '- log: "order ${header.n}: ${body}"',
  "choice, second branch": `
- choice:
    when:
      - simple: "\${header.n} == 1"
        steps: [{ setBody: { constant: one } }]
      - simple: "\${header.n} > 5"
        steps: [{ setBody: { constant: many } }]`,
  "split of 100 parts": `
- split:
    simple: "\${header.list}"
    steps: [{ setBody: { simple: "<\${body}>" } }]`,
  "split of 100 parts, grouped": `
- split:
    simple: "\${header.list}"
    aggregationStrategy: "#groupedBodyAggregationStrategy"
    steps: [{ setBody: { simple: "<\${body}>" } }]`,
  "multicast to three": `
- multicast:
    steps: [{ setBody: { constant: a } }, { setBody: { constant: b } }, { setBody: { constant: c } }]`,
  "doTry that catches": `
- doTry:
    steps: [{ throwException: { exceptionType: java.io.IOException, message: gone } }]
    doCatch: [{ exception: [java.io.IOException], steps: [{ setBody: { constant: caught } }] }]`,
  "loop of 100": "- loop: { constant: '100', steps: [{ setBody: { constant: x } }] }",
  toD: '- toD: "mock:${header.n}"',
  "marshal and unmarshal json":
    "- setBody: { simple: '{\"n\": ${header.n}}' }\n- unmarshal: { json: {} }\n- marshal: { json: {} }",
  "ten setVariable": Array.from({ length: 10 }, (_, i) => `- setVariable: { name: v${i}, simple: "\${body}" }`).join(
    "\n",
  ),
};

const list = Array.from({ length: 100 }, (_, i) => `part ${i}`).join(",");

group("a route of", () => {
  for (const [name, yaml] of Object.entries(steps)) {
    const flow = compileYaml(
      `- route:\n    id: r\n    from:\n      uri: direct:a\n      steps:\n${yaml.trim().replaceAll(/^/gm, "        ")}\n`,
    );
    const { processor } = flow.route(0);
    bench(name, () => processor(anExchange({ body: "text", headers: { n: 7, list } })));
  }
  bench("(making the exchange)", () => anExchange({ body: "text", headers: { n: 7, list } }));
});

await run();
