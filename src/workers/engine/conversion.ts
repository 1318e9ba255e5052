/** Conversions of steps to a type that is known when the flow is checked, in a character set. */
import type { Limits } from "../../shared/limits.ts";
import { type Charset, charsetNamed } from "./charset.ts";
import { asText, convertTo, fullTypeName, javaType } from "./convert.ts";
import { FlowException } from "./exception.ts";

export interface ConversionOptions {
  readonly type: string;
  readonly charset?: string | undefined;
}

/**
 * Makes a conversion. It throws TypeConversionException for a value that cannot be read, and returns null without a
 * converter.
 */
export function conversion(
  { type, charset }: ConversionOptions,
  { messageBodyBytes }: Limits,
): (value: unknown) => unknown {
  const full = fullTypeName(type) ?? type;
  const set = charset === undefined ? undefined : requireCharset(charset);
  if (set === undefined || (full !== "java.lang.String" && full !== "byte[]")) {
    return (value) => convertTo(value, type, messageBodyBytes);
  }
  if (full === "byte[]") {
    return (value) => (value instanceof Uint8Array ? value : set.encode(asText(value, messageBodyBytes)));
  }
  return (value) => (value instanceof Uint8Array ? set.decode(value) : convertTo(value, type, messageBodyBytes));
}

/**
 * Makes the failure for a value without a converter to the type, which is also that of a data format that cannot read
 * the value.
 */
export function noConverter(value: unknown, type: string): FlowException {
  return new FlowException(
    "org.apache.camel.NoTypeConversionAvailableException",
    `No type converter available to convert from type: ${javaType(value)} to the required type: ${fullTypeName(type) ?? type}`,
  );
}

function requireCharset(name: string): Charset {
  const charset = charsetNamed(name);
  if (charset !== undefined) return charset;
  throw new Error(
    `the character set '${name}' is not here: use UTF-8, UTF-16, US-ASCII, ISO-8859-1 to 16 or windows-1250 to 1258`,
  );
}
