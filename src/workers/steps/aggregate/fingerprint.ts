/** What an `aggregate` step makes of messages, in short. */
import type { ExpressionModel } from "../../../shared/flow-model.ts";
import type { BeanReference } from "../../engine/bean.ts";

/** Of the form that groups are kept in. */
const form = 1;

/** Steps with one fingerprint can continue each other's groups: they have the same strategy, and give messages the same keys. */
export function fingerprintOf(
  { language, text, options, resultType }: ExpressionModel,
  strategy: string | undefined,
  find: (reference: string) => BeanReference | undefined,
): string {
  const bean = strategy === undefined ? undefined : find(strategy);
  const parts = [
    form,
    language,
    text,
    options,
    resultType ?? null,
    bean?.type ?? strategy ?? null,
    bean?.properties ?? null,
  ];
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
