/** The options that `routingSlip` and `dynamicRouter` have in common. */
import type { Slots, Z } from "./slots.ts";

export function slipOptions(z: Z, { expression, text, flag, integer }: Slots) {
  return z.object({
    expression: expression(),
    uriDelimiter: text().default(","),
    ignoreInvalidEndpoints: flag().default(false),
    allowedSchemes: text().optional(),
    cacheSize: integer().optional(),
  });
}
