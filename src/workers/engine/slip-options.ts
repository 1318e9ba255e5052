/** The options that `routingSlip` and `dynamicRouter` have in common. */
import type { Slots, Z } from "./slots.ts";

export function slipOptions(z: Z, { expression, text, flag, integer }: Slots, addresses: string) {
  return z.object({
    expression: expression(addresses),
    uriDelimiter: text("What stands between two addresses.").default(","),
    ignoreInvalidEndpoints: flag("Leaves out an address that is none; without this the message fails there.").default(
      false,
    ),
    allowedSchemes: text(
      "Components that the addresses may name, with commas between them: `direct,mock`. Without it all may be called.",
    ).optional(),
    cacheSize: integer("How many endpoints are kept ready for the next message; 0: 1000, below 0: none.").optional(),
  });
}
