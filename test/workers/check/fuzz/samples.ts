/** Flows to begin with: the sample flows, one of every example in the catalogue, those of the conformance cases. */
import { readdirSync, readFileSync } from "node:fs";
import { catalog } from "../../../../src/workers/catalog.ts";
import { flowOf as flowOfCase, readTopics } from "../../../conformance/case.ts";
import { routeOf } from "../../../support/run-route.ts";

const folder = new URL("../../../../routes/samples/", import.meta.url);

/** A step's or a producer's example is one item of a list of steps, a consumer's a route. */
function flowOf(example: string): string {
  const item = example.split("\n").map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));
  return example.startsWith("from:") ? `${item.join("\n")}\n` : routeOf(item.join("\n"));
}

const { steps, components, languages, formats, elements } = catalog;

export const sampleFlows: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"));

export const exampleFlows: readonly string[] = [
  ...[...steps.values(), ...components.values(), ...formats.values()]
    .filter((definition) => !("internal" in definition && definition.internal === true))
    .map(({ example }) => flowOf(example)),
  ...[...elements.values()].map(({ example }) => example),
  ...[...languages.values()].map(({ name, example }) => routeOf(`- setBody:\n    ${name}: ${JSON.stringify(example)}`)),
];

export const conformanceFlows: readonly string[] = readTopics().flatMap(({ cases }) => cases.map(flowOfCase));
