/** What a flow is made of, as the canvas shows it. */
import type { Path, Range } from "./types.ts";

export interface Branch {
  /** What it is shown as: `when ${body} > 5`, `doCatch java.io.IOException`; "" for the only steps of a step. */
  readonly label: string;
  /** The key that it stands under: steps, when, otherwise, doCatch, ... */
  readonly kind: string;
  readonly id?: string;
  /** Its definition: that of the step for `steps`. */
  readonly path: Path;
  readonly stepsPath: Path;
  readonly steps: readonly StepNode[];
}

export interface StepNode {
  /** In camel case, however it is written. */
  readonly name: string;
  readonly id?: string;
  /** The option that holds its id: `stepId` where `id` is an option of the step. */
  readonly idKey: "id" | "stepId";
  readonly description?: string;
  readonly uri?: string;
  /** What it does in a few words: its expression, its text, its name. */
  readonly brief: string;
  /** Its definition, below its name. */
  readonly path: Path;
  /** Its place in its list. */
  readonly itemPath: Path;
  readonly range: Range;
  readonly branches: readonly Branch[];
  readonly disabled?: true;
  /** Written once for several places: edits are refused. */
  readonly shared?: true;
}

export interface TriggerNode {
  readonly name: "from";
  readonly id?: string;
  readonly description?: string;
  readonly uri: string;
  readonly path: Path;
  readonly range: Range;
}

export interface RouteNode {
  readonly id?: string;
  readonly description?: string;
  /** Its attributes. */
  readonly path: Path;
  /** Its place in the document. */
  readonly itemPath: Path;
  readonly range: Range;
  readonly trigger?: TriggerNode;
  readonly stepsPath: Path;
  readonly steps: readonly StepNode[];
}

export interface RestOperation {
  /** get, post, ... */
  readonly verb: string;
  readonly path: Path;
  readonly id?: string;
  /** The path of URLs, with that of the service before it. */
  readonly address: string;
  readonly to?: string;
}

/** What stands beside routes: onException, rest, beans, routeTemplate, a Kamelet, another document of the file. */
export interface OtherNode {
  readonly name: string;
  readonly id?: string;
  readonly brief: string;
  /** Where an error handler sends dead letters. */
  readonly uri?: string;
  readonly path: Path;
  readonly itemPath: Path;
  readonly range: Range;
  readonly branches: readonly Branch[];
  /** The route of a routeTemplate or a Kamelet. */
  readonly route?: RouteNode;
  readonly operations?: readonly RestOperation[];
  /** The elements of a routeConfiguration. */
  readonly children?: readonly OtherNode[];
}

/** A call of a route by its name. */
export interface Link {
  readonly scheme: "direct" | "seda";
  readonly name: string;
  /** The definition of the step, the operation or the element that calls. */
  readonly from: Path;
  /** The route that is called; undefined when the flow has none of this name. */
  readonly to?: Path;
}

export interface Problem {
  readonly message: string;
  readonly path: Path;
  readonly range: Range;
}

export interface FlowTree {
  readonly routes: readonly RouteNode[];
  readonly others: readonly OtherNode[];
  readonly links: readonly Link[];
  readonly problems: readonly Problem[];
}
