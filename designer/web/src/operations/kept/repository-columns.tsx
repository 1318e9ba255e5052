/** What the table of a flow's repositories shows. */
import type { Schemas } from "../../api/runtime.ts";
import type { Column } from "../../ui/table.tsx";
import { words } from "../../words.ts";

type Repository = Schemas["StateRepository"];

const { state: texts, units } = words.operations;

/** `shown`: the name of the one whose keys are shown. */
export function repositoryColumns(shown: string, onChoose: (name: string) => void): readonly Column<Repository>[] {
  return [
    {
      id: "name",
      title: texts.name,
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <button type="button" className="link-button" aria-expanded={name === shown} onClick={() => onChoose(name)}>
          {name}
        </button>
      ),
    },
    { id: "kind", title: texts.kind, sortBy: ({ kind }) => kind, cell: ({ kind }) => texts.kinds[kind] },
    { id: "step", title: texts.step, wideOnly: true, cell: ({ stepId }) => stepId ?? "" },
    { id: "keys", title: texts.keys, numeric: true, sortBy: ({ keys }) => keys, cell: ({ keys }) => units.count(keys) },
    {
      id: "bytes",
      title: texts.size,
      numeric: true,
      wideOnly: true,
      sortBy: ({ bytes }) => bytes,
      cell: ({ bytes }) => units.bytes(bytes),
    },
    {
      id: "oldest",
      title: texts.oldest,
      wideOnly: true,
      sortBy: ({ oldest }) => oldest ?? undefined,
      cell: ({ oldest }) => oldest !== null && words.ui.time(oldest),
    },
  ];
}
