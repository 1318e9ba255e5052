/** Which of the recipes a list shows. */
import type { RecipeEntry, RecipeGroup } from "../../../shared/recipes.ts";

/** Every word of the text is in what an entry shows; groups without entries are left out. */
export function matching(groups: readonly RecipeGroup[], text: string): readonly RecipeGroup[] {
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return groups
    .map(({ title, recipes }) => ({
      title,
      recipes: recipes.filter((recipe) => {
        const where = textOf(recipe, title).toLowerCase();
        return wanted.every((word) => where.includes(word));
      }),
    }))
    .filter(({ recipes }) => recipes.length > 0);
}

function textOf({ id, title, purpose, needs, components, connections }: RecipeEntry, group: string): string {
  const names = connections.flatMap(({ name, kind }) => [name, kind]);
  return [id, title, purpose, needs, group, ...components, ...names].join("\n");
}

export function countOf(groups: readonly RecipeGroup[]): number {
  return groups.reduce((sum, { recipes }) => sum + recipes.length, 0);
}
