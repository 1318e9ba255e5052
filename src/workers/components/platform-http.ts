/** The `platform-http` component (Camel: PlatformHttpComponent); without a path it is a webhook. */
import { defineComponent } from "../engine/component.ts";

const notYet = "platform-http has no options yet: leave it out";

export const platformHttp = defineComponent({
  scheme: "platform-http",
  docs: "Without a path the same as webhook: POST to /api/<route id>.",
  path: "path",
  options: (z, { refused }) =>
    z.object({
      path: refused(
        "paths of their own are not possible yet: leave the path out, the route answers POST at /api/<route id>",
      ),
      httpMethodRestrict: refused(
        "a route without a path answers POST only, and other methods are not possible yet: leave it out",
      ),
      consumes: refused(notYet),
      produces: refused(notYet),
      matchOnUriPrefix: refused(notYet),
      muteException: refused(notYet),
      returnHttpRequestHeaders: refused("a request's headers are never sent back: leave it out"),
    }),
  example: `from:
  uri: platform-http
  steps:
    - setBody: { constant: "hello" }`,
  consumer: () => ({ kind: "webhook" }),
});
