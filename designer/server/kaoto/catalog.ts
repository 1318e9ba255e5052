/**
 * The catalogue of a runtime in the form that Kaoto reads (@kaoto/camel-catalog, version 3): an index of runtimes, an
 * index of files for each, and the files. It is made of what the runtime answers, never of a copy.
 */
import { type Entry, optionsOf, titleOf } from "./options.ts";

export interface RuntimeCatalog {
  readonly steps: readonly Entry[];
  readonly components: readonly (Entry & { readonly consumer: boolean; readonly producer: boolean })[];
  readonly languages: readonly Entry[];
  readonly formats: readonly Entry[];
  readonly elements: readonly Entry[];
  readonly kamelets: readonly Entry[];
}

/** The version of Camel whose YAML the runtime follows: Kaoto chooses by it. */
export const camelVersion = "4.22.1";

const versions = {
  ...{ version: camelVersion, executorVersion: camelVersion, cliVersion: camelVersion },
  ...{ camelCatalogVersion: camelVersion, runtimeProviderVersion: null, frameworkVersion: null },
};

/** `targets`: the runtimes, each with its name in addresses and for people. Files are relative to the index. */
export function catalogIndex(targets: readonly { readonly name: string; readonly label: string }[]): object {
  return {
    version: 3,
    name: "Bulkhead",
    definitions: targets.map(({ name, label }) => ({
      name: `Bulkhead ${label}`,
      ...versions,
      runtime: "Main",
      fileName: `${encodeURIComponent(name)}/index.json`,
    })),
  };
}

/** The files of one runtime by name, its index among them. `flowSchema`: JSON Schema of its flows. */
export function catalogFiles(label: string, catalog: RuntimeCatalog, flowSchema: object): ReadonlyMap<string, object> {
  const { steps, components, languages, formats, elements, kamelets } = catalog;
  const models = byName(steps, (step) => model(step, "eip", optionsOf(step, "attribute", languages)));
  const own = byName(languages, (language) => model(language, "language", optionsOf(language, "attribute")));
  const dataformats = byName(formats, (format) => model(format, "dataformat", optionsOf(format, "attribute")));
  const catalogs: Readonly<Record<string, object>> = {
    components: byName(components, componentOf),
    dataformats,
    entities: byName([from, ...elements], (one) => model(one, "configuration", optionsOf(one, "attribute", languages))),
    functions: { simple: {}, file: {} },
    kameletBoundaries: { source: boundary("source"), sink: boundary("sink") },
    kamelets: byName(kamelets, kameletOf),
    languages: own,
    loadbalancers: {},
    // Kaoto looks every node up here, and offers what `patterns` has.
    models: { ...dataformats, ...own, ...models },
    patterns: models,
  };
  const files = new Map(Object.entries(catalogs).map(([name, file]) => [`${name}.json`, file]));
  files.set("camelYamlDsl.json", flowSchema);
  files.set("index.json", {
    ...{ name: `Bulkhead ${label}`, ...versions, runtime: "Main" },
    catalogs: Object.fromEntries(Object.keys(catalogs).map((name) => [name, fileEntry(name, `Bulkhead: ${name}`)])),
    schemas: { camelYamlDsl: fileEntry("camelYamlDsl", "JSON Schema of the flows of this runtime") },
  });
  return files;
}

/** The catalogue of the runtime has the trigger as a part of a route. */
const from: Entry = {
  name: "from",
  docs: "What brings messages to a route.",
  schema: {
    properties: {
      id: { description: "The id of the trigger.", "x-kind": "text" },
      uri: { description: "The endpoint that brings messages.", "x-kind": "text" },
      parameters: { description: "Options of the endpoint.", "x-kind": "map" },
    },
    required: ["uri"],
  },
};

function byName<T extends Entry>(entries: readonly T[], make: (entry: T) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(entries.map((entry) => [entry.name, make(entry)]));
}

function model({ name, docs }: Entry, label: string, options: object): object {
  return {
    model: {
      ...{ kind: "model", name, title: titleOf(name), description: docs, deprecated: false, label },
      ...{ javaType: `org.apache.camel.model.${titleOf(name).replaceAll(" ", "")}Definition`, abstract: false },
      ...{ input: label === "eip", output: false },
    },
    ...options,
  };
}

function componentOf(entry: RuntimeCatalog["components"][number]): object {
  const { name, docs, consumer, producer } = entry;
  // An option of the address is the one that the runtime describes as standing behind the scheme.
  const path = Object.entries(entry.schema.properties ?? {})
    .filter(([, { description = "" }]) => /stands? behind|behind the scheme/.test(description))
    .map(([option]) => option)
    .slice(0, 1);
  return {
    component: {
      ...{ kind: "component", name, title: titleOf(name), description: docs, deprecated: false, label: "bulkhead" },
      ...{ javaType: "", supportLevel: "Stable", groupId: "", artifactId: "", version: camelVersion },
      ...{ scheme: name, extendsScheme: "", syntax: [name, ...path].join(":"), async: false, api: false },
      ...{ consumerOnly: consumer && !producer, producerOnly: producer && !consumer },
      ...{ lenientProperties: false, browsable: false, remote: false },
    },
    componentProperties: {},
    headers: {},
    ...optionsOf(entry, "parameter", [], path),
  };
}

function kameletOf(entry: Entry): object {
  const { name, docs } = entry;
  const { propertiesSchema } = optionsOf(entry, "parameter");
  const type = /-(source|sink|action)$/.exec(name)?.[1] ?? "action";
  return {
    ...{ apiVersion: "camel.apache.org/v1", kind: "Kamelet" },
    metadata: { name, annotations: annotations, labels: { "camel.apache.org/kamelet.type": type } },
    spec: { definition: { ...propertiesSchema, title: titleOf(name), description: docs }, dependencies: [] },
    propertiesSchema,
  };
}

const annotations = {
  "camel.apache.org/kamelet.support.level": "Stable",
  "camel.apache.org/catalog.version": camelVersion,
  "camel.apache.org/provider": "Bulkhead",
};

/** The two ends of a Kamelet that is drawn. */
function boundary(name: "source" | "sink"): object {
  const properties = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: {} };
  return {
    ...{ apiVersion: "camel.apache.org/v1", kind: "Kamelet" },
    metadata: { name, annotations: annotations, labels: {} },
    spec: { definition: { title: `Kamelet ${titleOf(name)}`, ...properties }, dependencies: [] },
    propertiesSchema: properties,
  };
}

function fileEntry(name: string, description: string): object {
  return { name, description, version: camelVersion, file: `${name}.json` };
}
