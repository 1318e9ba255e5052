/** Catalogue entries of routes, and of elements that are expanded to routes, with the keys of each. */
import type { CatalogEntry } from "../../shared/check.ts";
import type { expandedElements } from "./document.ts";
import { beanParts } from "./expand/beans.ts";
import { flag, forPeople, type Parts, partsSchema, text } from "./expand/parts.ts";
import { configurationParts as restConfigurationParts } from "./expand/rest-configuration.ts";
import { restParts } from "./expand/rest-keys.ts";
import { templateParts } from "./expand/template-definition.ts";
import { useParts } from "./expand/templates.ts";
import { idleRouteAttributes, type ownRouteNames } from "./route-attributes.ts";
import { configurationParts } from "./route-configurations.ts";

interface Element {
  readonly docs: string;
  readonly example: string;
  readonly parts: Parts;
}

const steps = { kind: "list of steps", words: "What is done with each message." };

export const fromParts = {
  id: text("Names the beginning of the route in traces; generated when it is left out."),
  ...forPeople,
  uri: {
    kind: "endpoint",
    words: "Where messages come from: a component that stands in `from`, such as `timer:tick`.",
  },
  parameters: { kind: "map", words: "Options of the endpoint by their names, in place of a query in the `uri`." },
  variableReceive: text("The variable that gets the body of each message, whose own body is null then."),
  steps,
} as const satisfies Parts;

const ownRouteParts: Readonly<Record<(typeof ownRouteNames)[number], Parts[string]>> = {
  id: text("Names the route; unique in the runtime. A webhook answers at /api/<id>."),
  ...forPeople,
  autoStartup: flag("Starts the route with the flow; with `false` it waits until `controlbus` starts it."),
  group: text("The name that `${routeGroup}` shows. The routes of a flow start and stop together all the same."),
  nodePrefixId: text("What stands before the ids of its steps."),
  precondition: text(
    "A condition on parameters, such as `{{mode}} == 1`; when it does not hold, there is no such route.",
  ),
  routeConfigurationId: text(
    "Ids of the routeConfigurations that it uses, with commas between them, or patterns: `web*`.",
  ),
  errorHandler: { kind: "map", words: "What is done about failures, in place of the document's `errorHandler`." },
  from: { kind: "map", words: "Where messages come from, and the steps; a text is its `uri`.", inner: fromParts },
  steps: { kind: "list of steps", words: "The steps, for those who write them beside `from`." },
};

export const routeParts: Parts = {
  ...ownRouteParts,
  ...Object.fromEntries([...idleRouteAttributes()].map(([name, { words }]) => [name, text(words)])),
};

const expanded: Readonly<Record<(typeof expandedElements)[number], Element>> = {
  beans: {
    docs: "A list of objects that options name, such as aggregation strategies. Each is of a class of Camel's that the runtime has its own of.",
    parts: beanParts,
    example: `- beans:
    - name: lines
      type: org.apache.camel.processor.aggregate.StringAggregationStrategy
      properties: { delimiter: "\\n" }
- route:
    id: orders
    from:
      uri: direct:orders
      steps:
        - split: { expression: { tokenize: { token: "," } }, aggregationStrategy: lines, steps: [{ log: { message: "a part" } }] }`,
  },
  rest: {
    docs: "A REST service: paths and methods, each of which calls a route.",
    parts: restParts,
    example: `- rest:
    path: /orders
    bindingMode: json
    get:
      - { path: "/{id}", to: { uri: "direct:order" } }
- route:
    id: order
    from:
      uri: direct:order
      steps: [{ setBody: { expression: { simple: { expression: "order \${header.id}" } } } }]`,
  },
  restConfiguration: {
    docs: "What holds for all `rest` of the flow, unless a service or a method says otherwise.",
    parts: restConfigurationParts,
    example: `- restConfiguration: { contextPath: /shop, enableCORS: true }
- rest:
    get: [{ path: /hello, to: { uri: "direct:hello" } }]
- route:
    id: hello
    from:
      uri: direct:hello
      steps: [{ setBody: { expression: { constant: { expression: "Hello" } } } }]`,
  },
  routeConfiguration: {
    docs: "Error handling, completions and intercepts for the routes that name it, or for all that name none.",
    parts: configurationParts,
    example: `- routeConfiguration:
    id: careful
    onException:
      - onException: { exception: [java.io.IOException], handled: { constant: { expression: "true" } } }
- route:
    id: start
    routeConfigurationId: careful
    from:
      uri: direct:start
      steps: [{ log: { message: "\${body}" } }]`,
  },
  routeTemplate: {
    docs: "A route with parameters, of which each `templatedRoute` makes one.",
    parts: templateParts,
    example: `- routeTemplate:
    id: greeting
    parameters: [{ name: word, defaultValue: Hello }]
    from:
      uri: "direct:{{word}}"
      steps: [{ setBody: { expression: { simple: { expression: "{{word}} \${body}" } } } }]
- templatedRoute: { routeTemplateRef: greeting, parameters: [{ name: word, value: Hi }] }`,
  },
  templatedRoute: {
    docs: "A route that is made of a `routeTemplate` of the flow.",
    parts: useParts,
    example: `- routeTemplate:
    id: tick
    parameters: [{ name: period }]
    from:
      uri: "timer:tick?period={{period}}"
      steps: [{ log: { message: "tick" } }]
- templatedRoute: { routeTemplateRef: tick, routeId: slow, parameters: [{ name: period, value: 60s }] }`,
  },
};

const route: Element = {
  docs: "A way of messages: where they come from, and what is done with each.",
  parts: routeParts,
  example: `- route:
    id: hello
    from:
      uri: direct:hello
      steps: [{ setBody: { expression: { simple: { expression: "Hello \${body}" } } } }]`,
};

export const documentElements: readonly CatalogEntry[] = Object.entries({ route, ...expanded }).map(
  ([name, { docs, example, parts }]) => ({ name, docs, example, schema: partsSchema(parts) }),
);
