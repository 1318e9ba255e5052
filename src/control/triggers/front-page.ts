/** The page at `/`, which says what answers here: for a person who opens the runtime's address in a browser. */
import type { ServerResponse } from "node:http";

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bulkhead</title>
<h1>Bulkhead</h1>
<p>This is an integration-flow runtime: it runs flows and answers their callers. It has no screens of its own.</p>
<dl>
<dt>Draw, deploy and watch flows
<dd>The designer: <code>bulkhead designer</code>, then <a href="http://127.0.0.1:8090/">http://127.0.0.1:8090/</a> on the machine where it runs
<dt>Is it well?
<dd><a href="/_api/health">/_api/health</a>
<dt>The management API
<dd><code>/_api/openapi.json</code> describes it. It needs the header <code>Authorization: Bearer</code> with the deploy token, SERVICE_DEPLOY_TOKEN
<dt>Call a flow
<dd><code>POST /api/&lt;route id&gt;</code>
<dt>Documentation
<dd>The folder <code>docs</code> that comes with the runtime: <code>docs/api.md</code> has the API, <code>docs/reference.md</code> what flows are made of
</dl>
</html>
`;
const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Length": String(Buffer.byteLength(page)),
  "Cache-Control": "no-cache",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
} as const;

export function answerFrontPage(response: ServerResponse): void {
  response.writeHead(200, headers).end(page);
}
