/** A body of `application/x-www-form-urlencoded`, which Camel's platform-http passes to a route as a map. */
import { isSteeringHeader } from "../../shared/http-headers.ts";
import { JsonText } from "./message.ts";

/** The form cannot be read. */
export class FormError extends Error {}

/** Renders as Java prints a map, `{foo=bar, cheese=wine}`, and is read by field; a repeated field is a list. */
export class FormBody extends JsonText {
  /** The form as received. */
  readonly encoded: string;

  constructor(encoded: string, fields: ReadonlyMap<string, string | readonly string[]>) {
    const value: Record<string, unknown> = Object.create(null);
    for (const [name, field] of fields) value[name] = field;
    const texts = [...fields].map(
      ([name, field]) => `${name}=${typeof field === "string" ? field : `[${field.join(", ")}]`}`,
    );
    super(`{${texts.join(", ")}}`, value);
    this.encoded = encoded;
  }
}

/**
 * Returns null for a form without fields. Omits fields whose names control Camel's components, as for headers. Throws
 * FormError.
 */
export function readForm(encoded: string): FormBody | null {
  const fields = new Map<string, string | string[]>();
  for (const piece of encoded.split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = decoded(equals < 0 ? piece : piece.slice(0, equals));
    const value = decoded(equals < 0 ? "" : piece.slice(equals + 1));
    if (isSteeringHeader(name)) continue;
    const present = fields.get(name);
    if (present === undefined) fields.set(name, value);
    else if (typeof present === "string") fields.set(name, [present, value]);
    else present.push(value);
  }
  return fields.size === 0 ? null : new FormBody(encoded, fields);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new FormError("the form has an escape that is not UTF-8");
  }
}
