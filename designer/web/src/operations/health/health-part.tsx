/** How the runtime is: its state, how far its start is, what is wrong and what to do, and what begins runs by itself. */
import { runtimeHealth } from "../../api/cache.ts";
import type { Schemas } from "../../api/runtime.ts";
import { Chip } from "../../ui/chip.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Note } from "../../ui/note.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { PartProps } from "../tabs.ts";
import { Problems } from "./problems.tsx";
import { Triggers } from "./triggers.tsx";

const { health: texts } = words.operations;

export function HealthPart({ target }: PartProps) {
  const health = runtimeHealth(target);
  const { value, error } = useStore(health);
  return (
    <>
      {error !== undefined && <ErrorNote title={texts.notRead} error={error} onRetry={() => void health.refresh()} />}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : (
        <>
          <Overview health={value} isKnown={error === undefined} />
          <section>
            <h2>{texts.problems}</h2>
            <Problems target={target} health={value} />
          </section>
          <section>
            <h2>{texts.triggers}</h2>
            <Triggers target={target} health={value} />
          </section>
        </>
      )}
    </>
  );
}

interface OverviewProps {
  readonly health: Schemas["Health"];
  /** false: the runtime does not answer, and this is what it was when it was last seen. */
  readonly isKnown: boolean;
}

function Overview({ health, isKnown }: OverviewProps) {
  const { status, uptime, version, engine, counts, boot, store, audit } = health;
  const isBooting = boot.loaded < boot.flows;
  return (
    <section>
      <h2 className="hidden">{texts.overview}</h2>
      <dl className="figures">
        <div>
          <dt>{texts.status}</dt>
          <dd>
            {isKnown ? (
              <Chip tone={status === "UP" ? "good" : "warn"}>{texts.statuses[status]}</Chip>
            ) : (
              <Chip tone="plain">{texts.unknown(texts.statuses[status])}</Chip>
            )}
          </dd>
        </div>
        <div>
          <dt>{texts.uptime}</dt>
          <dd>{texts.lasting(uptime)}</dd>
        </div>
        <div>
          <dt>{texts.version}</dt>
          <dd>
            {engine.name} {version} <span className="faint">({engine.dsl})</span>
          </dd>
        </div>
        <div>
          <dt>{words.flows.title}</dt>
          <dd>{texts.flows(counts.flows, counts.failedFiles)}</dd>
        </div>
        <div>
          <dt>{texts.routes}</dt>
          <dd>{texts.routeCounts(counts.started, counts.routes, counts.failed)}</dd>
        </div>
        <div>
          <dt>{texts.boot}</dt>
          <dd>
            {isBooting ? (
              <>
                <progress aria-label={texts.boot} max={boot.flows} value={boot.loaded} />{" "}
                {texts.loaded(boot.loaded, boot.flows)}
              </>
            ) : (
              texts.booted
            )}
          </dd>
        </div>
      </dl>
      {store?.writable === false && (
        <Note kind="error" title={texts.readOnly}>
          <p>{store.reason}</p>
          <p>{texts.readOnlyText}</p>
        </Note>
      )}
      {audit?.writable === false && (
        <Note kind="error" title={texts.noAudit}>
          <p>{audit.reason}</p>
          <p>{texts.noAuditText}</p>
        </Note>
      )}
    </section>
  );
}
