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
  "ten setVariable": Array.from({ length: 10 }, (_, i) => `- setVariable: { name: v${i}, simple: "\${body}" }`).join(
    "\n",
  ),
};

group("a route of", () => {
  for (const [name, yaml] of Object.entries(steps)) {
    const flow = compileYaml(
      `- route:\n    id: r\n    from:\n      uri: direct:a\n      steps:\n${yaml.trim().replaceAll(/^/gm, "        ")}\n`,
    );
    const { processor } = flow.route(0);
    bench(name, () => processor(anExchange({ body: "text", headers: { n: 7 } })));
  }
  bench("(making the exchange)", () => anExchange({ body: "text", headers: { n: 7 } }));
});

await run();
