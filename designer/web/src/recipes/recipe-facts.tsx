/** What a recipe uses: components, connections with what the runtime has of them, and mappings. */
import type { RecipeConnection, RecipeEntry } from "../../../shared/recipes.ts";
import { target } from "../api/target.ts";
import { connectionsOf } from "../connections/connections-api.ts";
import { Chip } from "../ui/chip.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

const { recipes: texts } = words;

export function RecipeFacts({ entry: { components, connections, mappings } }: { readonly entry: RecipeEntry }) {
  return (
    <dl className="recipe-facts">
      <dt>{texts.uses}</dt>
      <dd>
        {components.map((name) => (
          <code key={name} className="recipe-component">
            {name}
          </code>
        ))}
      </dd>
      {connections.length > 0 && (
        <>
          <dt>{texts.connections}</dt>
          <dd>
            <Connections connections={connections} />
          </dd>
        </>
      )}
      {mappings.length > 0 && (
        <>
          <dt>{texts.mappings}</dt>
          <dd>
            {mappings.map(({ kind, id }) => (
              <span key={`${kind} ${id}`} className="recipe-fact">
                <code>{id}</code> <span className="faint">{texts.mapping[kind]}</span>
              </span>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

interface ConnectionsProps {
  readonly connections: readonly RecipeConnection[];
}

function Connections({ connections }: ConnectionsProps) {
  const at = useStore(target)?.name;
  return at === undefined ? (
    <ConnectionList connections={connections} known={undefined} />
  ) : (
    <ConnectionsOn target={at} connections={connections} />
  );
}

function ConnectionsOn({ target: at, connections }: ConnectionsProps & { readonly target: string }) {
  const { value, error } = useStore(connectionsOf(at));
  // What it had when it was last seen says nothing while it does not answer.
  return (
    <ConnectionList
      connections={connections}
      known={error === undefined ? value?.map(({ name }) => name) : undefined}
    />
  );
}

function ConnectionList({ connections, known }: ConnectionsProps & { readonly known: readonly string[] | undefined }) {
  return connections.map(({ name, kind }) => {
    const state = known === undefined ? "unknown" : known.includes(name) ? "there" : "missing";
    const text = texts.connectionTexts[state];
    return (
      <span key={name} className="recipe-fact">
        <code>{name}</code> <span className="faint">{kind}</span>{" "}
        <Chip tone={tones[state]} title={typeof text === "string" ? text : text(name)}>
          {texts.connectionStates[state]}
        </Chip>
      </span>
    );
  });
}

const tones = { there: "good", missing: "warn", unknown: "plain" } as const;
