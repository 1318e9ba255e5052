/** Reads a management request's body: its type, then its size, and only then its bytes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { MIMEType } from "node:util";
import { AppError } from "../../shared/errors.ts";
import { decodeText, parseJson } from "../../shared/json.ts";
import { acceptBody } from "../http/pipeline.ts";

export type Media = "json" | "yaml" | "csv";

/** A body that has not been parsed. */
export interface RawBody {
  readonly media: Media;
  readonly bytes: Uint8Array;
}

/** RFC 9512 names application/yaml; the others are its older names. */
const yamlTypes = new Set(["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"]);
const sendThese: Readonly<Record<Media, string>> = {
  json: "application/json",
  yaml: "application/yaml",
  csv: "text/csv",
};

interface BodyRules {
  readonly media: readonly Media[];
  readonly raw: boolean;
  readonly optional: boolean;
  readonly limitBytes: number;
}

/**
 * Returns the value of a JSON body, `{yaml: text}` for a YAML body, a RawBody with `raw`, and `{}` when an `optional` body is absent.
 * Throws AppErrors: `unsupported_media_type`, `body_too_large` (declared or streamed), `bad_json`, `bad_request` (no body, not UTF-8,
 * cut off).
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { media: accepted, raw, optional, limitBytes }: BodyRules,
): Promise<unknown> {
  const declared = request.headers["content-length"];
  if (request.headers["transfer-encoding"] === undefined && (declared === undefined || Number(declared) === 0)) {
    if (optional) return {};
    throw new AppError(
      "bad_request",
      `the body is missing: send ${accepted.map((one) => sendThese[one]).join(" or ")}`,
    );
  }
  const media = mediaOf(request, accepted);
  if (declared !== undefined && Number(declared) > limitBytes) throw tooLarge(limitBytes);
  acceptBody(response);
  const bytes = await collect(request, limitBytes);
  if (optional && bytes.length === 0) return {};
  if (raw) return { media, bytes } satisfies RawBody;
  return media === "json" ? parseJson(bytes) : { yaml: decodeText(bytes) };
}

function mediaOf(request: IncomingMessage, accepted: readonly Media[]): Media {
  const expected = `send Content-Type: ${accepted.map((one) => sendThese[one]).join(" or ")}`;
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw new AppError("unsupported_media_type", "send the body without a Content-Encoding", {
      "Accept-Encoding": "identity",
    });
  }
  const type = parseType(request.headers["content-type"]);
  if (type === undefined) throw new AppError("unsupported_media_type", expected);
  const media = mediaNamed(type.essence);
  if (media === undefined || !accepted.includes(media)) throw new AppError("unsupported_media_type", expected);
  const charset = type.params.get("charset")?.toLowerCase() ?? "utf-8";
  if (charset !== "utf-8" && charset !== "utf8") throw new AppError("unsupported_media_type", "send the body in UTF-8");
  return media;
}

function mediaNamed(essence: string): Media | undefined {
  if (essence === "application/json" || (essence.startsWith("application/") && essence.endsWith("+json")))
    return "json";
  if (essence === "text/csv") return "csv";
  return yamlTypes.has(essence) ? "yaml" : undefined;
}

function parseType(header: string | undefined): MIMEType | undefined {
  try {
    return new MIMEType(header ?? "");
  } catch {
    return undefined;
  }
}

/** After a refusal Node reads and drops the rest of the body, so that the connection stays usable. */
function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: AppError): void => {
      request.off("data", onData);
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) stop(tooLarge(limitBytes));
      else chunks.push(chunk);
    };
    const cutOff = (): void => stop(new AppError("bad_request", "the request ended before its body was complete"));
    request.on("data", onData);
    request.once("end", () => resolve(Buffer.concat(chunks, size)));
    request.once("error", cutOff);
    request.once("close", cutOff);
  });
}

function tooLarge(limitBytes: number): AppError {
  return new AppError("body_too_large", `the body is larger than ${limitBytes} bytes`);
}
