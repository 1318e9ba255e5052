/** The data formats `gzipDeflater` and `zipDeflater` (Camel: GzipDeflaterDataFormat, ZipDeflaterDataFormat). */
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import { defineFormat } from "../engine/format.ts";
import { LateModule } from "../engine/late-module.ts";
import { bodyBytes, tooLarge, viewOf } from "./stream.ts";

const zlib = new LateModule(() => import("node:zlib"));

export const gzipDeflater = defineFormat({
  name: "gzipDeflater",
  docs: "Gzip (RFC 1952); what it unpacks to is bounded by the limit `messageBodyBytes`.",
  options: (z) => z.object({}),
  example: "marshal: { gzipDeflater: {} }",
  marshal() {
    const { gzipSync } = zlib.module();
    return (exchange, body) => viewOf(gzipSync(bodyBytes(exchange, body)));
  },
  unmarshal(_, { messageBodyBytes }) {
    const { gunzipSync } = zlib.module();
    return (exchange, body) =>
      unpacked(
        () => gunzipSync(bodyBytes(exchange, body), { maxOutputLength: messageBodyBytes }),
        "java.io.IOException",
        messageBodyBytes,
      );
  },
});

/** Camel's names of levels (java.util.zip.Deflater). */
const named = { DEFAULT_COMPRESSION: -1, NO_COMPRESSION: 0, BEST_SPEED: 1, BEST_COMPRESSION: 9 } as const;
const levels = [
  ...["-1", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
  ...["DEFAULT_COMPRESSION", "NO_COMPRESSION", "BEST_SPEED", "BEST_COMPRESSION"],
] as const;

function levelOf(text: string): number {
  return Object.hasOwn(named, text) ? named[text as keyof typeof named] : Number(text);
}

export const zipDeflater = defineFormat({
  name: "zipDeflater",
  docs: "Deflate in zlib's envelope (RFC 1950), not a ZIP file; what it unpacks to is bounded by the limit `messageBodyBytes`.",
  short: "compressionLevel",
  options: (z, { oneOf }) =>
    z.object({
      compressionLevel: oneOf(
        levels,
        "From 0, nothing is packed, to 9, the smallest; -1 is zlib's own middle.",
      ).default("-1"),
    }),
  example: "marshal: { zipDeflater: { compressionLevel: 9 } }",
  marshal({ compressionLevel }) {
    const { deflateSync } = zlib.module();
    const level = levelOf(compressionLevel);
    return (exchange, body) => viewOf(deflateSync(bodyBytes(exchange, body), { level }));
  },
  unmarshal(_, { messageBodyBytes }) {
    const { inflateSync } = zlib.module();
    return (exchange, body) =>
      unpacked(
        () => inflateSync(bodyBytes(exchange, body), { maxOutputLength: messageBodyBytes }),
        "java.util.zip.ZipException",
        messageBodyBytes,
      );
  },
});

function unpacked(unpack: () => Buffer, type: string, messageBodyBytes: number): Uint8Array {
  try {
    return viewOf(unpack());
  } catch (error) {
    if (error instanceof FlowException) throw error;
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(messageBodyBytes);
    throw new FlowException(type, exceptionMessage(error), { cause: error });
  }
}
