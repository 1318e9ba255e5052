/** The question who could call a flow, as it is typed and as it is sent. */
import type { Schemas } from "../../api/runtime.ts";

export interface Question {
  /** "": a caller without a name. */
  readonly as: string;
  /** Separated by commas. */
  readonly roles: string;
  readonly route: string;
  readonly method: string;
  /** "": not known. */
  readonly address: string;
}

export function questionOf({ as, roles, route, method, address }: Question): Schemas["PolicyQuestionInput"] {
  const names = roles
    .split(",")
    .map((role) => role.trim())
    .filter((role) => role !== "");
  return {
    ...{ route, method },
    ...(as.trim() !== "" && { as: as.trim() }),
    ...(names.length > 0 && { roles: names }),
    ...(address.trim() !== "" && { address: address.trim() }),
  };
}
