/** The runtimes that flows can be deployed to. */
import type { Target } from "../../../shared/wire.ts";
import { runtimeHealth } from "../api/cache.ts";
import { isRefusal } from "../api/runtime.ts";
import { sentenceOf } from "../api/sentence.ts";
import { chooseTarget, target } from "../api/target.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

export function TargetsSection({ targets }: { readonly targets: readonly Target[] }) {
  return (
    <section>
      <h2>{words.settings.targets}</h2>
      {targets.length === 0 ? (
        <p>{words.settings.noTargets}</p>
      ) : (
        <Table label={words.settings.targets} columns={columns} rows={targets} keyOf={({ name }) => name} />
      )}
      <p className="faint">{words.settings.targetsHelp}</p>
    </section>
  );
}

const columns: readonly Column<Target>[] = [
  { id: "label", title: words.settings.targetName, sortBy: ({ label }) => label, cell: ({ label }) => label },
  { id: "url", title: words.settings.targetUrl, wideOnly: true, cell: ({ url }) => <code>{url}</code> },
  { id: "state", title: words.settings.targetState, cell: (row) => <TargetHealth name={row.name} /> },
  { id: "version", title: words.settings.version, wideOnly: true, cell: (row) => <TargetVersion name={row.name} /> },
  { id: "use", title: words.settings.targetUse, untitled: true, cell: (row) => <UseTarget row={row} /> },
];

function TargetHealth({ name }: { readonly name: string }) {
  const { value, error } = useStore(runtimeHealth(name));
  if (error !== undefined) {
    return (
      <Chip tone={isRefusal(error) ? "bad" : "plain"} title={sentenceOf(error)}>
        {isRefusal(error) ? words.settings.refused : words.settings.down}
      </Chip>
    );
  }
  if (value === undefined) return <Chip tone="plain">{words.settings.asked}</Chip>;
  return <Chip tone={value.status === "UP" ? "good" : "warn"}>{words.settings.health[value.status]}</Chip>;
}

function TargetVersion({ name }: { readonly name: string }) {
  return useStore(runtimeHealth(name)).value?.version ?? "";
}

function UseTarget({ row: { name } }: { readonly row: Target }) {
  const chosen = useStore(target);
  if (chosen?.name === name) return <span className="faint">{words.settings.targetInUse}</span>;
  return <Button onClick={() => chooseTarget(name)}>{words.settings.targetUse}</Button>;
}
