/** The options of a flow in the answers of the API. */
import * as z from "zod";
import { optionFields, settingFields } from "../../shared/document-options.ts";

export const writtenBySchema = z
  .object({
    via: z.string().describe("The call, or the file, that wrote it."),
    actor: z.string().optional().describe("The caller, as the audit log names it."),
    at: z.string(),
  })
  .nullable()
  .describe("null: it is not known.");

/** The access policy of a flow beside its options: reported by its version, since PUT /_api/auth writes it, too. */
export const reportedPolicy = z
  .object({
    hash: z.string(),
    revision: z.int(),
    mode: z.enum(["enforce", "report"]),
    understood: z.boolean(),
    writtenBy: writtenBySchema,
  })
  .nullable()
  .optional()
  .describe(
    "The access policy in force, and who wrote it last; null: there is none. GET /_api/auth/:flowId has its document.",
  );

/** As an answer has them. */
export const reportedOptionFields = {
  ...optionFields,
  policy: reportedPolicy,
  inForce: z
    .object(settingFields)
    .optional()
    .describe(
      "The settings that the flow has, those of the runtime included; absent: the operator no longer allows what is set.",
    ),
};
