/** What the designer's page and its server send each other about recipes: the flows to begin from that the package brings. */
import type { MappingUse } from "./mapping-uses.ts";
import type { FlowFile } from "./wire.ts";

/** An entry of `GET /designer/recipes`, which answers groups in the order in which they are shown. */
export interface RecipeGroup {
  readonly title: string;
  readonly recipes: readonly RecipeEntry[];
}

export interface RecipeEntry {
  readonly id: string;
  readonly title: string;
  /** A sentence: what it does. */
  readonly purpose: string;
  /** A sentence: what has to be there before it can be deployed. Names stand between backticks. */
  readonly needs: string;
  /** Of its endpoints, in alphabetical order; `direct`, which stays inside of the flow, is left out. */
  readonly components: readonly string[];
  readonly connections: readonly RecipeConnection[];
  readonly mappings: readonly MappingUse[];
}

export interface RecipeConnection {
  readonly name: string;
  readonly kind: string;
}

/** `GET /designer/recipes/:id`. */
export interface Recipe extends RecipeEntry {
  readonly yaml: string;
  /** The ids of its routes. They stay what they are in a flow that is made of it. */
  readonly routes: readonly string[];
  /** What comes beside the flow, by paths from the workspace: its options, connections, mappings and tests. */
  readonly others: readonly RecipeFile[];
}

export interface RecipeFile {
  readonly path: string;
  readonly text: string;
}

/** `POST /designer/recipes/:id` makes a flow of it, as one change; 409 when there is a flow of that id. */
export interface RecipeUse {
  /** The id of the new flow. */
  readonly flow: string;
}

/** The answer, 201. */
export interface UsedRecipe {
  /** The new flow, a draft. */
  readonly flow: FlowFile;
  /** Paths from the workspace. */
  readonly written: readonly string[];
  /** Files that were there already: they stay as they are. */
  readonly kept: readonly string[];
}

/** The path of a recipe's file beside the flow of another id: those that are named after the flow are named after that one. */
export function pathFor(path: string, recipe: string, flow: string): string {
  return path.replace(/([^/]+?)((?:\.flow)?\.(?:yaml|json))$/, (whole, stem: string, end: string) =>
    stem === recipe ? `${flow}${end}` : whole,
  );
}
