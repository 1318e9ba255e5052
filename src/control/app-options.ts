/** The options that a runtime is started with. */
import type { EgressRule } from "../shared/egress.ts";
import type { Limits } from "../shared/limits.ts";
import type { TrustedProxies } from "./access/client-address.ts";
import type { AuditTrail } from "./api/audit.ts";
import type { Services } from "./api/services.ts";
import type { BackupSources } from "./backup/backups.ts";
import type { DataKeys } from "./data-key.ts";
import type { CheckPool } from "./flows/check-pool.ts";
import type { FlowSettings } from "./flows/flow-check.ts";
import type { Authenticator } from "./http/auth.ts";
import type { SessionScope } from "./runs/test-sessions/test-service.ts";
import type { CheckedModels } from "./stores/checked-models.ts";
import type { DocumentStores } from "./stores/documents.ts";
import type { FlowEnvironment } from "./stores/flow-environment.ts";
import type { Secrets } from "./stores/secrets.ts";
import type { SetStore } from "./stores/sets.ts";
import type { FlowStore } from "./stores/stores.ts";
import type { EventSink } from "./streams/log-hub.ts";

export interface AppOptions {
  readonly authenticator: Authenticator;
  readonly store: FlowStore;
  readonly documents: DocumentStores;
  /** The directory of the store; absent: it is in memory. */
  readonly routesDirectory?: string;
  /** true: files are deployed as they are dropped into the directory; otherwise they are reported, and wait. */
  readonly routesWatch?: boolean;
  /** Changes of flows and documents that are made together; absent: for stores in memory. */
  readonly sets?: SetStore | undefined;
  /** The stored results of checks; absent: every start checks all flows. */
  readonly models?: CheckedModels | undefined;
  /** Absent: there are none. */
  readonly secrets?: Secrets;
  readonly environment?: FlowEnvironment;
  /** Absent: changes are not recorded. */
  readonly audit?: AuditTrail | undefined;
  readonly sink: EventSink;
  readonly limits: Limits;
  readonly ceilings: Services["limits"]["ceilings"];
  readonly settings: FlowSettings;
  /** Addresses that flows may call beside the public ones. */
  readonly egressAllow?: readonly EgressRule[];
  /** true: flows may call no other address, not even public ones. */
  readonly egressClosed?: boolean;
  /** Proxies whose X-Forwarded-For is trusted; absent: none. */
  readonly trustedProxies?: TrustedProxies;
  /** Each flow with a file endpoint has a directory in here. */
  readonly filesDirectory?: string;
  /** Where the state of flows is kept; absent: it does not outlive the runtime. */
  readonly stateDirectory?: string;
  /** Where embedded databases are; absent: they do not outlive the runtime. */
  readonly databasesDirectory?: string;
  /** Keys of 32 bytes: messages are encrypted with the first where they are kept, and can be read with any of them. */
  readonly dataKeys: DataKeys["keys"];
  /** Returns why the state of flows may not be written, such as a directory that another process has; undefined: it may. */
  readonly stateRefusal?: () => string | undefined;
  /** true: the data was restored from a backup, and timers and sources wait. */
  readonly held?: boolean;
  /** What a backup contains; absent: nothing is on the disk, so there are none. */
  readonly backup?: BackupSources;
  /** The scopes that test sessions may have; absent: all runs of a deployment are allowed, too. */
  readonly testScope?: SessionScope;
  /** Index into `levels`. */
  readonly logLevel: number;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly version: string;
  /** The module that flow threads run; absent: that of the runtime. Tests pass hostile modules, and a bundle. */
  readonly threadEntry?: URL | undefined;
  /** The module that host processes run; absent: that of the runtime. */
  readonly hostEntry?: URL | undefined;
  /** The module that the processes of embedded databases run; absent: that of the runtime. */
  readonly embeddedEntry?: URL | undefined;
  /** The module that the thread of the state store runs; absent: that of the runtime. */
  readonly stateEntry?: URL | undefined;
  /** Present: the check threads are shared with other runtimes of the process, and are not ended with this one. */
  readonly checks?: CheckPool | undefined;
}
