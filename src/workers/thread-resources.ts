/** What a flow's thread is given beside the flow, and again when it changes: mappings, and named connections. */
import type { ConnectionModel, ConnectionSettings } from "../shared/connection.ts";
import type { Limits } from "../shared/limits.ts";
import { isMapping, type ResourceData, type ResourceKey } from "../shared/mapping.ts";
import type { ConnectionLine } from "./connection-line.ts";
import type { ConnectorDefinition } from "./engine/connections/connection.ts";
import type { ConnectionPort } from "./engine/connections/connection-port.ts";
import { LateModule } from "./engine/late-module.ts";
import { MappingRegistry } from "./mappings/registry.ts";

const probing = new LateModule(() => import("./probe.ts"));
const late = new LateModule(() => import("./engine/connections/thread-connections.ts"));

type ThreadConnections = InstanceType<ReturnType<typeof late.module>["ThreadConnections"]>;

interface Surroundings {
  /** The parameters of the flow. */
  readonly params: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly port: ConnectionPort & Pick<ConnectionLine, "confide" | "databases">;
  readonly figures: Int32Array;
  readonly connectors: ReadonlyMap<string, ConnectorDefinition>;
}

export class ThreadResources {
  readonly mappings: MappingRegistry;
  readonly #around: Surroundings;
  readonly #given: readonly ResourceData[];
  #connections: ThreadConnections | undefined;
  #tried: ConnectionModel | undefined;

  constructor(given: readonly ResourceData[], around: Surroundings) {
    this.#around = around;
    this.mappings = new MappingRegistry(around.params);
    this.mappings.update(given.filter(isMapping), []);
    this.#given = given.filter((one) => !isMapping(one));
  }

  /** Returns the connections, for a flow that uses one. Throws NotLoaded. */
  readonly connections = (): ThreadConnections => {
    if (this.#connections === undefined) {
      const { port, limits, figures, connectors } = this.#around;
      this.#connections = new (late.module().ThreadConnections)({ port, limits, figures, connectors });
      void this.#connections.update(this.#given, []);
    }
    return this.#connections;
  };

  /** The settings of the documents that the flow uses now, or that is tried. */
  get models(): Iterable<ConnectionModel> {
    return this.#tried === undefined ? (this.#connections?.models ?? []) : [this.#tried];
  }

  /** Tries a connection. Returns a ProbeAnswer as JSON. */
  async probe(json: string): Promise<string> {
    const settings = JSON.parse(json) as ConnectionSettings;
    const { port, limits, connectors } = this.#around;
    port.confide(settings);
    this.#tried = settings;
    await probing.load();
    return JSON.stringify(await probing.module().probe(settings, connectors, limits, port.databases.of(0)));
  }

  /** The connections of a flow that uses some. */
  get open(): ThreadConnections | undefined {
    return this.#connections;
  }

  /** Puts changes in force: of mappings at once, of connections when their drivers are loaded, which the promise waits for. */
  update(changed: readonly ResourceData[], gone: readonly ResourceKey[]): Promise<void> | undefined {
    const mappings = changed.filter(isMapping);
    const goneMappings = gone.filter(isMapping);
    if (mappings.length + goneMappings.length > 0) this.mappings.update(mappings, goneMappings);
    if (mappings.length === changed.length && goneMappings.length === gone.length) return undefined;
    return this.#connections?.update(
      changed.filter((one) => !isMapping(one)),
      gone.filter((one) => !isMapping(one)),
    );
  }
}
