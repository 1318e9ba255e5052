/** Flows to begin from: `/designer/recipes`. */
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { RecipeUse } from "../../shared/recipes.ts";
import { Recipes } from "../recipes/recipes.ts";
import { takeRecipe } from "../recipes/take-recipe.ts";
import { readBody } from "./body.ts";
import type { Doors } from "./workspace-routes.ts";

interface OfRecipe {
  readonly Params: { readonly id: string };
}

const recipeUse = z.strictObject({ flow: z.string("must be a text") }) satisfies z.ZodType<RecipeUse>;

const reading = { config: { least: "viewer" } } as const;
const writing = { config: { least: "editor" } } as const;

export function recipeRoutes(app: FastifyInstance, { workspace }: Pick<Doors, "workspace">): void {
  const recipes = new Recipes();

  app.get("/designer/recipes", reading, () => recipes.groups());

  app.get<OfRecipe>("/designer/recipes/:id", reading, ({ params }) => recipes.read(params.id));

  app.post<OfRecipe>("/designer/recipes/:id", writing, async (request, reply) => {
    const { id } = recipes.read(request.params.id);
    const used = await takeRecipe(workspace, id, readBody(recipeUse, request).flow);
    reply.code(201).header("ETag", used.flow.etag);
    return used;
  });
}
