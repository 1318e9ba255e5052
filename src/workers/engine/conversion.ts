/** Conversions of steps to a type that is known when the flow is checked, in a character set. */
import type { Limits } from "../../shared/limits.ts";
import { type Charset, charsetNamed } from "./charset.ts";
import { asText, convertTo, fullTypeName, javaType } from "./convert.ts";
import { FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { JsonText } from "./message.ts";
import { convertIn } from "./message-text.ts";

export interface ConversionOptions {
  readonly type: string;
  readonly charset?: string | undefined;
}

/**
 * Makes a conversion; without a character set, bytes have the exchange's. It throws TypeConversionException for a value that cannot be read, and returns null without a
 * converter.
 */
export function conversion({ type, charset }: ConversionOptions, { messageBodyBytes }: Limits): Conversion {
  const full = fullTypeName(type) ?? type;
  const set = charset === undefined ? undefined : requireCharset(charset);
  if (set === undefined || (full !== "java.lang.String" && full !== "byte[]")) {
    return (exchange, value) => convertIn(exchange, value, type);
  }
  const most = messageBodyBytes;
  return (exchange, given) => {
    const value = asItCame(exchange, given);
    const isBytes = value instanceof Uint8Array;
    if (full === "byte[]") return isBytes ? value : set.encode(asText(value, most));
    return isBytes ? set.decode(value) : convertTo(value, type, most);
  };
}

const encoder = new TextEncoder();

/** Returns the bytes of a body that came over HTTP and is held as text, since Camel has the bytes; else the value. */
function asItCame(exchange: Exchange, value: unknown): unknown {
  if (!exchange.isAsItCame(value)) return value;
  const text = value instanceof JsonText ? value.text : value;
  return typeof text === "string" ? encoder.encode(text) : value;
}

export type Conversion = (exchange: Exchange, value: unknown) => unknown;

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
