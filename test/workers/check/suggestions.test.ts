/** A suggestion names only what works here: taken up, it is not refused as unknown, as not there yet, or as standing in a wrong place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { catalog } from "../../../src/workers/catalog.ts";
import * as camel from "../../../src/workers/check/camel-names.ts";
import { errorsOf } from "./real-catalog.ts";

const route = (from: string, step: string): string =>
  `- route: { id: r, from: { uri: "${from}", steps: [${step}] } }\n`;

/** Names that somebody may have meant, one of them misspelt so that a suggestion is certain, and a flow in which the name stands. */
const kinds: Readonly<Record<string, { names: Iterable<string>; certain: string; flow(name: string): string }>> = {
  "a component in to": {
    names: [...camel.camelComponents, ...catalog.components.keys()],
    certain: "platform-htp",
    flow: (name) => route("direct:a", `{ to: "${name}:x" }`),
  },
  "a component in from": {
    names: [...camel.camelComponents, ...catalog.components.keys()],
    certain: "timerr",
    flow: (name) => route(name, "{ stop: {} }"),
  },
  "a step": {
    names: [...camel.camelSteps, ...catalog.steps.keys()],
    certain: "setBdy",
    flow: (name) => route("direct:a", `{ ${name}: {} }`),
  },
  "an element": { names: camel.camelTopLevel, certain: "rout", flow: (name) => `- ${name}: {}\n` },
  "a language": {
    names: [...camel.camelLanguages, ...catalog.languages.keys()],
    certain: "simpl",
    flow: (name) => route("direct:a", `{ setBody: { ${name}: x } }`),
  },
  "a data format": {
    names: [...camel.camelFormats, ...catalog.formats.keys()],
    certain: "jsom",
    flow: (name) => route("direct:a", `{ marshal: { ${name}: {} } }`),
  },
  "an option": {
    names: ["allowOptimisedComponents", "asyncConsumer", "cacheSize", "message", "marker", "loggerRef", "logName"],
    certain: "mesage",
    flow: (name) => route("direct:a", `{ log: { message: a, ${name}: x } }`),
  },
  "an attribute of a route": {
    names: camel.camelRouteAttributes,
    certain: "autoStartupp",
    flow: (name) => `- route: { id: r, ${name}: x, from: { uri: "direct:a", steps: [{ stop: {} }] } }\n`,
  },
  "an option of restConfiguration": {
    names: [
      "component",
      "host",
      "bindingMode",
      "apiComponent",
      "scheme",
      "port",
      "contextPath",
      "clientRequestValidation",
    ],
    certain: "compnent",
    flow: (name) => `- restConfiguration: { ${name}: x }\n${route("direct:a", "{ stop: {} }")}`,
  },
  "a function of simple": {
    names: [
      "body",
      "header",
      "bean",
      "sys",
      "env",
      "ref",
      "random",
      "exchangeProperty",
      "threadName",
      "hostname",
      "type",
    ],
    certain: "haeder",
    flow: (name) => route("direct:a", `{ setBody: { simple: "\${${name}}" } }`),
  },
};

const refusals = /^\S+ (unknown_\w+|not_yet|no_consumer|no_producer|misplaced_step) |Unknown function/;

/** One letter is missing, doubled, another one, or in the place of its neighbour. */
const misspelling = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.nat(), fc.constantFrom("miss", "double", "other", "swap", "part"))
    .map(([name, at, how]) => {
      const i = at % name.length;
      const [head, letter, tail] = [name.slice(0, i), name.charAt(i), name.slice(i + 1)];
      if (how === "miss") return head + tail;
      if (how === "double") return head + letter + letter + tail;
      if (how === "other") return `${head}q${tail}`;
      return how === "swap" ? head + tail.charAt(0) + letter + tail.slice(1) : (name.split("-").at(-1) ?? name);
    });

for (const [kind, { names, certain, flow }] of Object.entries(kinds)) {
  test(`the suggestion for ${kind} works here`, async () => {
    let suggested = 0;
    await fc.assert(
      fc.asyncProperty(misspelling([...names]), async (written) => {
        const told = (await errorsOf(flow(written))).join("\n");
        const suggestion = /did you mean '([^']+)'/.exec(told)?.[1];
        if (suggestion === undefined) return;
        suggested += 1;
        const again = (await errorsOf(flow(suggestion))).filter((error) => error.includes(`'${suggestion}'`));
        for (const error of again) assert.doesNotMatch(error, refusals, `${written} -> ${suggestion}`);
      }),
      { numRuns: 100, examples: [[certain]] },
    );
    assert.ok(suggested > 0, "nothing was suggested");
  });
}

test("redis is not taken for spring-redis, which is not here either", async () => {
  const [told = ""] = await errorsOf(route("direct:a", '{ to: "redis:x" }'));
  assert.match(told, /unknown component 'redis'; here there are: /);
});
