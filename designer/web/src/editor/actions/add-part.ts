/** Adds what stands beside steps: a route, onException, a REST service. */
import { addRoute, addTopLevel, newStepId, slug, stepIds } from "../../model/index.ts";
import { words } from "../../words.ts";
import type { EditorSession } from "../session/session.ts";
import { titleOf } from "../titles.ts";

/** What a new element says: the least that the runtime takes. */
const definitions: Readonly<Record<string, unknown>> = {
  beans: [{ name: "bean", type: "org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy" }],
  errorHandler: { deadLetterChannel: { deadLetterUri: "log:failed" } },
  onException: { exception: ["java.lang.Exception"], handled: { constant: { expression: "true" } }, steps: [] },
  onCompletion: { steps: [] },
  intercept: { steps: [] },
  interceptFrom: { uri: "*", steps: [] },
  interceptSendToEndpoint: { uri: "direct:*", steps: [] },
  rest: { path: "/items", get: [{ path: "/{id}", to: { uri: "direct:item" } }] },
  restConfiguration: { bindingMode: "json" },
  routeConfiguration: {
    id: "errors",
    onException: [
      { onException: { exception: ["java.lang.Exception"], handled: { constant: { expression: "true" } } } },
    ],
  },
  routeTemplate: { id: "template", parameters: [{ name: "name" }], from: { uri: "direct:{{name}}", steps: [] } },
  templatedRoute: { routeTemplateRef: "template", parameters: [{ name: "name", value: "one" }] },
};

export function addPart(session: EditorSession, name: string): void {
  const { tree } = session.get();
  const before = new Set(session.get().index.items.keys());
  const edit = {
    label: words.canvas.did.add(titleOf(name)),
    select: ({ items }: { readonly items: ReadonlyMap<string, { readonly name: string }> }) => {
      const added = [...items].filter(([key, item]) => item.name === name && !before.has(key));
      return added.slice(-1).map(([key]) => key);
    },
  };
  if (name === "route") {
    const taken = new Set([...stepIds(tree), ...tree.routes.flatMap(({ id }) => id ?? [])]);
    const id = slug(newStepId(`${session.id}-route`, taken), taken);
    const from = { uri: `direct:${id}`, steps: [{ log: { message: "${body}" } }] };
    session.edit((flow) => addRoute(flow, { route: { id, from } }), edit);
    return;
  }
  session.edit((flow) => addTopLevel(flow, name, definitions[name] ?? {}), edit);
}
