/** The registry of data formats. */
import type { FormatDefinition } from "../engine/format.ts";
import { base64 } from "./base64.ts";
import { csv } from "./csv.ts";
import { gzipDeflater, zipDeflater } from "./deflaters.ts";
import { jacksonXml } from "./jackson-xml.ts";
import { json } from "./json.ts";
import { mimeMultipart } from "./mime-multipart.ts";
import { yaml } from "./yaml.ts";

export const formats: readonly FormatDefinition[] = [
  base64,
  csv,
  gzipDeflater,
  jacksonXml,
  json,
  mimeMultipart,
  yaml,
  zipDeflater,
];
