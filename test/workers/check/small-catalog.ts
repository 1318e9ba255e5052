/** A catalogue of a few definitions, so that what the check says does not depend on what the runtime has. */
import type { CheckResult, Params } from "../../../src/shared/check.ts";
import type { FlowModel, RouteModel } from "../../../src/shared/flow-model.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import type { Catalog } from "../../../src/workers/catalog.ts";
import { type CompileManifest, check } from "../../../src/workers/check/check.ts";
import { defineComponent } from "../../../src/workers/engine/component.ts";
import { ExpressionSyntaxError } from "../../../src/workers/engine/exception.ts";
import { defineLanguage } from "../../../src/workers/engine/language.ts";
import { defineStep } from "../../../src/workers/engine/step.ts";

const nothing = () => () => {};
const words = "What an option of these tests does.";

const log = defineStep({
  name: "log",
  docs: "Logs.",
  short: "message",
  options: (z, { template, oneOf, refused }) =>
    z.object({
      message: template(words),
      loggingLevel: oneOf(["INFO", "WARN"], words).default("INFO"),
      marker: refused("there are no markers"),
    }),
  example: 'log: "hello"',
  compile: nothing,
});

const setBody = defineStep({
  name: "setBody",
  docs: "Sets the body.",
  options: (z, { expression }) => z.object({ expression: expression(words) }),
  example: 'setBody: { constant: "x" }',
  compile: nothing,
});

const setHeader = defineStep({
  name: "setHeader",
  docs: "Sets a header.",
  options: (z, { expression, template }) => z.object({ name: template(words), expression: expression(words) }),
  example: 'setHeader: { name: a, constant: "x" }',
  compile: nothing,
});

const choice = defineStep({
  name: "choice",
  docs: "Chooses.",
  options: (z, { clause, predicate, steps }) =>
    z.object({
      when: z
        .array(clause({ expression: predicate(words), steps: steps(words).default([]) }, words))
        .min(1, "needs one when"),
      otherwise: clause({ steps: steps(words) }, words).optional(),
    }),
  example: 'choice: { when: [{ simple: "${body} == 1", steps: [{ stop: {} }] }] }',
  compile: nothing,
});

const guard = defineStep({
  name: "guard",
  docs: "Has an expression under its own key, a refinement and a list.",
  options: (z, { predicate, steps, text, duration, integer, flag }) =>
    z.object({
      onWhen: predicate(words).optional(),
      exception: z.array(text(words)).optional(),
      wait: duration(words)
        .refine((ms) => ms >= 10, "at least 10 ms")
        .optional(),
      times: integer(words).optional(),
      loud: flag(words).optional(),
      steps: steps(words),
    }),
  example: "guard: { steps: [] }",
  compile: nothing,
});

const stop = defineStep({
  name: "stop",
  docs: "Stops.",
  options: (z) => z.object({}),
  example: "stop: {}",
  compile: nothing,
});

const to = defineStep({
  name: "to",
  docs: "Sends.",
  short: "uri",
  options: (z, { endpoint, oneOf }) =>
    z.object({ endpoint: endpoint(words), pattern: oneOf(["InOnly", "InOut"], words).optional() }),
  example: "to: log:a",
  compile: nothing,
});

const logComponent = defineComponent({
  scheme: "log",
  docs: "Logs.",
  path: "loggerName",
  options: (z, { text, flag }) =>
    z.object({
      loggerName: text(words),
      showAll: flag(words).default(false),
      showHeaders: flag(words).optional(),
      marker: text(words).optional(),
    }),
  example: "to: log:a",
  producer: nothing,
});

const timer = defineComponent({
  scheme: "timer",
  docs: "Ticks.",
  path: "timerName",
  options: (z, { text, duration }) => z.object({ timerName: text(words), period: duration(words).default(1000) }),
  example: "from: { uri: timer:a }",
  consumer({ timerName, period }) {
    if (period < 10) throw new Error("period is at least 10 ms");
    const metadata = { delayMs: 0, repeatCount: 0, fixedRate: false, includeMetadata: false, overlap: "skip" } as const;
    return { kind: "timer", name: timerName, periodMs: period, ...metadata };
  },
});

const direct = defineComponent({
  scheme: "direct",
  docs: "Calls.",
  path: "name",
  options: (z, { text }) => z.object({ name: text(words) }),
  example: "to: direct:a",
  consumer: ({ name }) => ({ kind: "direct", name, shared: false }),
  producer: nothing,
});

const webhook = defineComponent({
  scheme: "webhook",
  docs: "Webhook.",
  options: (z) => z.object({}),
  example: "from: webhook",
  consumer: () => ({ kind: "webhook" }),
});

/** Not simple, but with errors like its: `${` must be closed, a predicate needs `==`, or is `${true}`. */
const simple = defineLanguage({
  name: "simple",
  docs: "Simple.",
  options: (z, { flag }) => z.object({ pretty: flag(words).default(false) }),
  example: "${body}",
  expression: (text) => closed(text),
  predicate: (text) => {
    closed(text);
    if (text === "${yes}") return () => true;
    if (text.indexOf("==") < 0) throw new ExpressionSyntaxError("no operator", text.length - 1);
    return () => text.split("==")[0]?.trim() === text.split("==")[1]?.trim();
  },
});

function closed(text: string): () => string {
  const open = text.lastIndexOf("${");
  if (open >= 0 && text.indexOf("}", open) < 0) throw new ExpressionSyntaxError("'${' is not closed", open);
  return () => text;
}

const constant = defineLanguage({
  name: "constant",
  docs: "Constant.",
  options: (z) => z.object({}),
  example: "x",
  expression: (text) => () => text,
});

const exchangeProperty = defineLanguage({ ...constant, name: "exchangeProperty" });

export const smallCatalog: Catalog = {
  steps: new Map([log, setBody, setHeader, choice, guard, stop, to].map((step) => [step.name, step])),
  components: new Map([logComponent, timer, direct, webhook].map((c) => [c.scheme, c])),
  languages: new Map([simple, constant, exchangeProperty].map((language) => [language.name, language])),
  formats: new Map(),
  connectors: new Map(),
  elements: new Map(),
};

const noCompile: CompileManifest = () => ({
  manifest: {
    routes: [],
    steps: [],
    externalDirects: [],
    stateful: false,
    lifecycle: false,
    mappings: [],
    secrets: [],
    network: false,
    files: false,
  },
});

export function checkText(yaml: string, params: Params = {}): CheckResult {
  return check({ flowId: "orders", yaml, params, limits: defaultLimits }, smallCatalog, noCompile);
}

/** The model of a text that has no error. */
export function modelOf(yaml: string, params: Params = {}): FlowModel {
  const { flow, diagnostics } = checkText(yaml, params);
  if (flow === undefined) throw new Error(`refused: ${said(diagnostics).join("; ")}`);
  return flow.model;
}

export function routeOf(yaml: string, params: Params = {}): RouteModel {
  const [route] = modelOf(yaml, params).routes;
  if (route === undefined) throw new Error("no route");
  return route;
}

/** The steps of a route that starts by a timer, given as the lines of its list. */
export function stepsOf(lines: string, params: Params = {}): RouteModel["steps"] {
  return routeOf(`- route:\n    id: r\n    from:\n      uri: timer:t\n      steps:\n${indent(lines, 8)}`, params).steps;
}

export function indent(lines: string, by: number): string {
  return lines
    .trim()
    .split("\n")
    .map((line) => " ".repeat(by) + line)
    .join("\n");
}

/** `7:11 error unknown_step unknown step 'lgo'` */
export function said(diagnostics: CheckResult["diagnostics"]): string[] {
  return diagnostics.map(
    ({ line, column, severity, code, message }) => `${line}:${column} ${severity} ${code} ${message}`,
  );
}
