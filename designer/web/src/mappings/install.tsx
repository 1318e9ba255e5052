/** Installs a mapping of the workspace: compared with what the runtime has, over that version and no other. */
import { useEffect, useState } from "react";
import type { Target } from "../../../shared/wire.ts";
import { refreshMappings, runtimeMappings } from "../api/cache.ts";
import { type InstalledText, install, isConflict, type MappingUser, readInstalled } from "../api/runtime-mappings.ts";
import { sentenceOf } from "../api/sentence.ts";
import { recordInstalled } from "../api/workspace-mappings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { DiffView } from "../ui/diff-view.tsx";
import { Loading } from "../ui/loading.tsx";
import { Note } from "../ui/note.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import type { OpenMapping } from "./open-mapping.ts";
import { saveMapping } from "./save.tsx";
import { otherUsers } from "./state.ts";

const { mappings: texts } = words;

/** Saves what is not saved, and offers to install what the disk has then. */
export async function installMapping(session: OpenMapping, target: Target): Promise<void> {
  const { isDirty } = session.now();
  if (isDirty && !(await saveMapping(session))) return;
  await openDialog<void>((close) => <InstallDialog session={session} target={target} close={close} />);
}

interface InstallDialogProps {
  readonly session: OpenMapping;
  readonly target: Target;
  readonly close: () => void;
}

interface Compared {
  readonly before: InstalledText | undefined;
  readonly users: readonly MappingUser[];
}

function InstallDialog({ session, target: { name: target, label }, close }: InstallDialogProps) {
  const { kind, id } = session;
  const [compared, setCompared] = useState<Compared>();
  const [isStale, setStale] = useState(false);
  const [refused, setRefused] = useState<string>();
  const { base } = session.now();
  const compare = async (): Promise<void> => {
    try {
      const list = runtimeMappings(target, kind);
      await list.refresh();
      const { value, error } = list.get();
      if (value === undefined) throw error;
      const summary = value.find((one) => one.id === id);
      const before = summary && (await readInstalled(target, kind, id));
      setCompared({ before, users: summary?.usedBy ?? [] });
    } catch (error) {
      setRefused(sentenceOf(error));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the beginning
  useEffect(() => void compare(), []);
  const go = async ({ before }: Compared): Promise<void> => {
    setCompared(undefined);
    setRefused(undefined);
    try {
      const { revision, hash, passed, warnings } = await install(target, kind, id, base.text, before?.etag);
      // The installation stands, whether it could be noted or not.
      await recordInstalled(kind, id, { target, hash, revision }).catch(() => undefined);
      refreshMappings(target);
      const warned = warnings.map(({ message }) => message).join(" · ");
      notify(
        warned === ""
          ? { kind: "done", text: texts.installed(id, revision, passed) }
          : { kind: "warn", text: texts.installedWith(id, warned) },
      );
      close();
    } catch (error) {
      if (isConflict(error)) setStale(true);
      else setRefused(sentenceOf(error));
      await compare();
    }
  };
  const isSame = compared?.before?.text === base.text;
  return (
    <Dialog
      wide
      title={texts.installTitle(id, label)}
      onClose={close}
      onSubmit={() => compared !== undefined && !isSame && void go(compared)}
      actions={
        <>
          <Button onClick={close}>{words.ui.cancel}</Button>
          <Button
            key={String(compared === undefined)}
            ref={(button) => (compared === undefined ? undefined : button?.focus())}
            kind="primary"
            icon="deploy"
            type="submit"
            disabled={compared === undefined || isSame}
          >
            {texts.install}
          </Button>
        </>
      }
    >
      {refused !== undefined && (
        <Note kind="error" title={texts.refused}>
          <p>{refused}</p>
        </Note>
      )}
      {isStale && (
        <Note kind="warn" title={words.deploy.stale}>
          <p>{texts.staleText}</p>
        </Note>
      )}
      {compared === undefined ? refused === undefined && <Loading /> : <Difference {...{ session, label, compared }} />}
    </Dialog>
  );
}

function Difference({
  session,
  label,
  compared: { before, users },
}: {
  readonly session: OpenMapping;
  readonly label: string;
  readonly compared: Compared;
}) {
  const { base } = session.now();
  const flows = otherUsers(users, "");
  return (
    <>
      {before === undefined ? (
        <p>{texts.fresh(label)}</p>
      ) : before.text === base.text ? (
        <p>{texts.same(label)}</p>
      ) : (
        <DiffView label={texts.diff(label)} before={session.shown(before.text)} after={session.shown(base.text)} />
      )}
      {flows.length > 0 && <p>{texts.usedBy(flows.join(", "))}</p>}
    </>
  );
}
