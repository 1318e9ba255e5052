/** All connectors: the drivers of named connections, one for each kind. */
import type { ConnectorDefinition } from "../engine/connections/connection.ts";

export const connectors: readonly ConnectorDefinition[] = [];
