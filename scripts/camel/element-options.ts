/** What the check says of options of elements that are expanded into routes, which have no schema. */
import type { Part, Parts } from "../../src/workers/check/expand/parts.ts";
import { restParts } from "../../src/workers/check/expand/rest-keys.ts";
import { type Answer, asked } from "./asked.ts";

type Tree = Record<string, unknown>;

const steps = [{ log: "x" }];
const from = { uri: "direct:a", steps };
const called = { route: { id: "called", from: { uri: "direct:b", steps } } };
const bean = { name: "a", type: "org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy" };
const template = { routeTemplate: { id: "t", parameters: [{ name: "p" }], route: { from } } };

/** Whole flows around an element, by its name. */
const flows: Readonly<Record<string, (part: Tree) => readonly Tree[]>> = {
  beans: (part) => [{ beans: [{ ...bean, ...part }] }, called],
  from: (part) => [{ from: { ...from, ...part } }],
  rest: (rest) => [{ rest }, called],
  restConfiguration: (restConfiguration) => [{ restConfiguration }, called],
  route: (part) => [{ route: { from, ...part } }],
  routeConfiguration: (part) => [{ routeConfiguration: { id: "c", ...part } }, called],
  routeTemplate: (part) => [
    { routeTemplate: { id: "t", ...("from" in part ? {} : { route: { from } }), ...part } },
    { templatedRoute: { routeTemplateRef: "t", parameters: [{ name: "p", value: "1" }] } },
  ],
  templatedRoute: (part) => [
    template,
    { templatedRoute: { routeTemplateRef: "t", parameters: [{ name: "p", value: "1" }], ...part } },
  ],
};

/** What a part needs besides the option that is asked for. */
const besides: Readonly<Record<string, Tree>> = {
  "rest.get": { path: "/a", to: "direct:b", clientRequestValidation: true },
  "rest.get.param": { name: "a", type: "query" },
  "rest.get.to": { uri: "direct:b" },
  "restConfiguration.corsHeaders": { key: "Access-Control-Max-Age", value: "1" },
  "routeTemplate.beans": bean,
  "routeTemplate.parameters": { name: "p" },
  "templatedRoute.beans": bean,
  "templatedRoute.parameters": { name: "p", value: "1" },
};
const lists: ReadonlySet<string> = new Set(["get", "param", "beans", "parameters", "corsHeaders"]);
const values: Readonly<Record<string, unknown>> = {
  "route.from": from,
  "route.shutdownRunningTask": "CompleteAllTasks",
  "routeTemplate.from": from,
  "routeTemplate.route": { from },
};

/** Resolves with what becomes of an option of an element. */
export async function askedOfElement(owner: string, path: string): Promise<Answer> {
  const flow = flows[owner];
  if (flow === undefined) throw new Error(`no flow has the element ${owner}: add one here`);
  const names = path.split(".");
  const answer = await asked(flow(partWith(owner, names)), names.at(-1) ?? path);
  const words = owner === "rest" ? wordsOf(restParts, names) : undefined;
  return answer.state === "taken" && words?.startsWith("No effect: ") ? { state: "idle", why: words } : answer;
}

function partWith(owner: string, [name = "", ...rest]: readonly string[]): Tree {
  const here = `${owner}.${name}`;
  const around = besides[here];
  const inner = rest.length === 0 ? (around ?? values[here] ?? "x") : { ...around, ...partWith(here, rest) };
  return { [name]: lists.has(name) && typeof inner === "object" ? [inner] : inner };
}

function wordsOf(parts: Parts, [name = "", ...rest]: readonly string[]): string | undefined {
  const part: Part | undefined = parts[name];
  return rest.length === 0 || part === undefined ? part?.words : wordsOf(part.inner ?? {}, rest);
}
