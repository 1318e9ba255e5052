/** The named connections that a flow declares, for its manifest, and what its endpoints get of them. */
import { type ConnectionUse, defaultConnectionId, mostConnections } from "../../shared/connection.ts";
import { connectionKind } from "../../shared/connections/kinds.ts";
import { ownConnectionModel } from "../../shared/connections/own-connection.ts";
import { idProblem } from "../../shared/ids.ts";
import type { Mask } from "../../shared/secret-mask.ts";
import type { BeanReference } from "../engine/bean.ts";
import type { Connection, ConnectionNeed, ConnectionSession, OwnConnection } from "../engine/connections/connection.ts";
import { connectionOfBean } from "../engine/connections/described-connections.ts";
import { FlowException } from "../engine/exception.ts";

/** The connections of a thread (engine/connections/thread-connections.ts). */
export interface OpenConnections {
  /** Throws NotLoaded. */
  pool(
    use: ConnectionUse,
    row: number,
    own: OwnConnection | undefined,
    session: ConnectionSession | undefined,
  ): Connection<never>;
}

export interface ConnectionSurroundings {
  /** Absent: the flow is only checked. */
  readonly thread: (() => OpenConnections) | undefined;
  readonly bean: (reference: string) => BeanReference | undefined;
  readonly mask: Mask;
}

type Named = Pick<ConnectionUse, "id" | "name" | "own"> & { readonly settings?: OwnConnection };

export class FlowConnections {
  readonly #around: ConnectionSurroundings;
  readonly #uses = new Map<string, ConnectionUse>();
  /** Ids of connections that endpoints describe, by their settings. */
  readonly #described = new Map<string, string>();
  #sealed = false;

  constructor(around: ConnectionSurroundings) {
    this.#around = around;
  }

  /** In the order of their declarations; undefined: there is none. */
  get uses(): readonly ConnectionUse[] | undefined {
    return this.#uses.size === 0 ? undefined : [...this.#uses.values()];
  }

  /** From now on control has the list: endpoints that messages name can only use these. */
  seal(): void {
    this.#sealed = true;
  }

  /** Throws for what names no connection, and for one that is new when the flow is compiled. */
  use(need: ConnectionNeed, routeId: string, stepId: string): Connection<never> {
    const { settings, ...named } = need.own === undefined ? this.#referred(need) : this.#describe(need.own);
    if (settings !== undefined && !need.kinds.includes(settings.kind)) {
      const wanted = need.kinds.map((kind) => connectionKind(kind)?.title ?? kind).join(", ");
      throw new Error(`it connects to ${connectionKind(settings.kind)?.title}, and ${wanted} is expected here`);
    }
    const use = this.#uses.get(named.id) ?? this.#declare({ ...named, kinds: need.kinds, routeId, stepId });
    const row = [...this.#uses.keys()].indexOf(use.id);
    return this.#around.thread?.().pool(use, row, settings, need.session) ?? onlyChecked(use);
  }

  #declare(use: ConnectionUse): ConnectionUse {
    if (this.#sealed) {
      const what = use.own === undefined ? `the connection '${use.name ?? "by default"}'` : "this server";
      throw new Error(
        `no endpoint that is written in the flow uses ${what}: a message can only name connections that the flow's text has`,
      );
    }
    if (this.#uses.size >= mostConnections)
      throw new Error(`a flow uses at most ${mostConnections} connections: divide it`);
    this.#uses.set(use.id, use);
    return use;
  }

  #referred({ kinds, reference, option = "the endpoint" }: ConnectionNeed): Named {
    if (reference === undefined) return { id: defaultConnectionId(kinds) };
    const name = reference.trim().replace(/^#(?:bean:)?/, "");
    const bean = this.#around.bean(name);
    if (bean !== undefined) return this.#ofBean(name, bean, option);
    const problem = idProblem(name);
    if (problem === undefined) return { id: name, name };
    throw new Error(`${option} is the name of a connection, such as '#orders': ${problem}`);
  }

  #ofBean(name: string, bean: BeanReference, option: string): Named {
    const own = connectionOfBean(bean, this.#around.bean);
    if (own === undefined)
      throw new Error(`${option} names the bean '${name}' of type '${bean.type}', which is no connection`);
    const { maxConnections } = ownConnectionModel("", own);
    return { id: `bean ${name}`, own: { kind: own.kind, label: name, maxConnections }, settings: own };
  }

  #describe(own: OwnConnection): Named {
    const { servers, maxConnections } = ownConnectionModel("", own);
    const key = JSON.stringify(own);
    const id = this.#described.get(key) ?? `own ${this.#described.size + 1}`;
    if (!this.#sealed) this.#described.set(key, id);
    const label = this.#around.mask(servers.map(({ host, port }) => `${host}:${port}`).join(","), 200);
    return { id, own: { kind: own.kind, label, maxConnections }, settings: own };
  }
}

function onlyChecked({ id, name = id }: ConnectionUse): Connection<never> {
  const refuse = async (): Promise<never> => {
    throw new FlowException("java.lang.IllegalStateException", "a flow that is only checked has no connections");
  };
  return { name, kind: undefined, lend: refuse, share: refuse };
}
