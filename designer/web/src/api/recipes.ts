/** The recipes of the designer's server: flows to start from. */
import type { Recipe, RecipeGroup, UsedRecipe } from "../../../shared/recipes.ts";
import { call } from "./designer.ts";
import { polled } from "./polled.ts";

/** They are the same as long as the server runs. */
export const recipeGroups = polled<readonly RecipeGroup[]>({
  load: async (signal) => (await call<readonly RecipeGroup[]>("/designer/recipes", { signal })).data,
  everyMs: 0,
  isVisible: () => true,
});

/** Rejects with DesignerError: 404. */
export async function readRecipe(id: string, signal?: AbortSignal): Promise<Recipe> {
  return (await call<Recipe>(pathOf(id), { signal })).data;
}

/** Makes a flow of a recipe, with its files. Rejects with DesignerError: 409 when there is a flow of that id. */
export async function takeRecipe(id: string, flow: string): Promise<UsedRecipe> {
  return (await call<UsedRecipe>(pathOf(id), { method: "POST", body: { flow } })).data;
}

function pathOf(id: string): string {
  return `/designer/recipes/${encodeURIComponent(id)}`;
}
