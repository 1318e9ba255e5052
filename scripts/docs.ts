/** Writes all that is generated from the code; with `--check` it only reports what is out of date. */
import { readFileSync } from "node:fs";
import { cliPage } from "./cli-page.ts";
import { clientTypes } from "./client-types.ts";
import { generated } from "./generated.ts";
import { operatingPage, withLimitsTable } from "./limits-table.ts";
import { protocolPage } from "./protocol-page.ts";
import { referencePage } from "./reference-page.ts";
import { writePage } from "./trials/page.ts";

generated("docs/reference.md", referencePage());
generated("docs/maintaining/protocol.md", protocolPage());
generated("docs/cli.md", cliPage());
generated("docs/operating.md", withLimitsTable(readFileSync(operatingPage, "utf8")));
generated("src/client/openapi.ts", await clientTypes());
writePage();
// Each of these writes its pages when it is loaded.
await import("./compatibility.ts");
await import("./connection-tables.ts");
await import("./connector-pages.ts");
await import("./examples-page.ts");
