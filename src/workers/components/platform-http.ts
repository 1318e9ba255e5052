/** The `platform-http` component (Camel: PlatformHttpEndpoint 4.22). Without a path it is a webhook. */
import { parseHttpPath } from "../../shared/http-path.ts";
import type { HttpTrigger } from "../../shared/manifest.ts";
import { defineComponent } from "../engine/component.ts";

/** Camel's Method: the names for httpMethodRestrict. */
const methods = new Set("GET HEAD POST PUT DELETE TRACE OPTIONS CONNECT PATCH".split(" "));
const mediaRange = /^(?:[\w!#$&^.+-]+|\*)\/(?:[\w!#$&^.+-]+|\*)$/;
const ownServer = "the runtime has one HTTP server: leave it out";
const noCookies = "cookies are ordinary headers here: read Cookie and set Set-Cookie";

export const platformHttp = defineComponent({
  scheme: "platform-http",
  docs: "Runs the route for requests to its own path, `{name}` standing for a segment, under Camel's rules; without a path the same as webhook.",
  path: "path",
  options: (z, { text, flag, refused }) =>
    z.object({
      path: text(
        "The path, such as `/orders/{id}`: what stands in braces becomes a header of that name. Without a path the route is a webhook.",
      ).optional(),
      httpMethodRestrict: text(
        "The methods that are taken, with commas between them: `GET,POST`. Without it all are.",
      ).optional(),
      consumes: text(
        "The media types that a request's body may have: `application/json,text/*`. Others are answered with 415.",
      ).optional(),
      produces: text(
        "The media types of the answer. A caller that takes none of them is answered with 406.",
      ).optional(),
      matchOnUriPrefix: flag("Takes longer paths that begin with this one, too.").optional(),
      muteException: flag(
        "A failed run is answered with 500 and no body; with `false` with what went wrong.",
      ).optional(),
      returnHttpRequestHeaders: flag(
        "Sends headers of the request back with the answer; without this only those that steps set.",
      ).optional(),
      populateBodyWithForm: flag(
        "A form becomes a map of its fields as the body; with `false` its fields are headers alone, and there is no body.",
      ).optional(),
      useStreaming: refused(
        "a request's body is read whole before the route begins, within webhookBodyBytes: leave it out",
      ),
      useBodyHandler: refused("a request's body is always read: leave it out"),
      requestTimeout: refused("set the flow's limit webhookWallMs in place of it"),
      fileNameExtWhitelist: text(
        "The endings that an uploaded file may have, with commas between them: `txt,csv`. Others are left out of the attachments; without it, and with `*`, all are taken.",
      ).optional(),
      useCookieHandler: refused(noCookies),
      cookieConfiguration: refused(noCookies),
      headerFilterStrategy: refused("which headers pass is fixed, as Camel's default has it: leave it out"),
      platformHttpEngine: refused(ownServer),
      handleWriteResponseError: refused("a run is over before its answer is written: leave it out"),
      exchangePattern: refused("a caller waits for the answer, so it is always InOut: leave it out", "InOut"),
      bridgeErrorHandler: refused("what goes wrong before a route begins is answered by the runtime: leave it out"),
      exceptionHandler: refused("what goes wrong before a route begins is answered by the runtime: leave it out"),
    }),
  example: `from:
  uri: platform-http:/greeting/{name}
  parameters: { httpMethodRestrict: GET }
  steps:
    - setBody: { expression: { simple: { expression: "Hello \${header.name}" } } }`,
  once: false,
  consumer({ path = "", matchOnUriPrefix, httpMethodRestrict, consumes, produces, ...more }) {
    if (path.trim() === "") {
      const given = Object.entries({ matchOnUriPrefix, httpMethodRestrict, consumes, produces, ...more });
      const option = given.find(([, value]) => value !== undefined)?.[0];
      if (option === undefined) return { kind: "webhook" };
      throw new Error(`${option} belongs to a route with a path: write 'platform-http:/path', or leave it out`);
    }
    if (path.trim() === "proxy") throw new Error("'proxy' makes Camel an HTTP proxy, which this runtime is not");
    const prefix = matchOnUriPrefix ?? false;
    const parsed = parseHttpPath(path.trim(), prefix);
    if ("problem" in parsed) throw new Error(`the path '${path.slice(0, 100)}' cannot be served: ${parsed.problem}`);
    return {
      kind: "http",
      path: path.trim().replace(/^(?!\/)/, "/"),
      prefix,
      methods: methodList(httpMethodRestrict),
      consumes: mediaRanges("consumes", consumes),
      produces: mediaRanges("produces", produces),
      muteException: more.muteException ?? true,
      returnRequestHeaders: more.returnHttpRequestHeaders ?? false,
      formAsBody: more.populateBodyWithForm ?? true,
      ...(more.fileNameExtWhitelist !== undefined && {
        fileExtensions: listOf(more.fileNameExtWhitelist.toLowerCase()),
      }),
    } satisfies HttpTrigger;
  },
});

function methodList(text: string | undefined): readonly string[] {
  const names = listOf(text).map((name) => name.toUpperCase());
  const unknown = names.find((name) => !methods.has(name));
  if (unknown !== undefined) {
    throw new Error(`httpMethodRestrict names '${unknown}': there are ${[...methods].join(", ")}`);
  }
  return [...new Set(names)];
}

/** Drops parameters such as `charset`; a range of all types is no restriction. */
function mediaRanges(option: string, text: string | undefined): readonly string[] {
  const ranges = listOf(text).map((range) => (range.split(";")[0] as string).trim().toLowerCase());
  const wrong = ranges.find((range) => !mediaRange.test(range));
  if (wrong !== undefined) throw new Error(`${option} names '${wrong}': a media type is written like application/json`);
  return ranges.includes("*/*") ? [] : [...new Set(ranges)];
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
