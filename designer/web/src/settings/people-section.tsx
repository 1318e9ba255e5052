/** Who may use the designer, and who has logged in; for operators. */
import { useMemo } from "react";
import type { People, PersonSession, Role, Session, User } from "../../../shared/wire.ts";
import { call } from "../api/designer.ts";
import { polled } from "../api/polled.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

const { settings: texts } = words;

const person: readonly Column<User>[] = [
  { id: "name", title: texts.user, sortBy: ({ name }) => name, cell: ({ name }) => name },
  { id: "role", title: texts.role, sortBy: ({ role }) => role, cell: ({ role }) => words.app.roles[role] },
];

const session: readonly Column<PersonSession>[] = [
  ...(person as readonly Column<PersonSession>[]),
  { id: "since", title: texts.since, sortBy: ({ since }) => since, cell: ({ since }) => words.ui.time(since) },
  { id: "used", title: texts.used, sortBy: ({ used }) => used, cell: ({ used }) => words.ui.time(used) },
];

export function PeopleSection({ login }: Pick<Session, "login">) {
  const people = useMemo(
    () =>
      polled({
        load: async (signal) => (await call<People>("/designer/people", { signal })).data,
        everyMs: 10_000,
        isVisible: () => !document.hidden,
      }),
    [],
  );
  const { value, error } = useStore(people);
  return (
    <section>
      <h2>{texts.people}</h2>
      <p>{texts.peopleTexts[login]}</p>
      {error !== undefined && (
        <ErrorNote title={texts.peopleNotRead} error={error} onRetry={() => void people.refresh()} />
      )}
      {value === undefined ? error === undefined && <Loading /> : login !== "none" && <Lists people={value} />}
      <p className="faint">{texts.peopleDocs}</p>
    </section>
  );
}

function Lists({ people: { users, provider, sessions } }: { readonly people: People }) {
  return (
    <>
      {users.length > 0 && <Table label={texts.people} columns={person} rows={users} keyOf={({ name }) => name} />}
      {provider !== null && (
        <dl className="facts">
          <dt>{texts.provider}</dt>
          <dd>{provider.issuer}</dd>
          <dt>{texts.claim}</dt>
          <dd>{provider.claim}</dd>
          <dt>{texts.rolesOf}</dt>
          <dd>{provider.roles.map(([value, role]) => roleText(value, role)).join(", ")}</dd>
        </dl>
      )}
      <h3>{texts.loggedIn}</h3>
      <Table
        label={texts.loggedIn}
        columns={session}
        rows={sessions}
        keyOf={({ name, since, used }) => `${name} ${since} ${used}`}
      />
    </>
  );
}

function roleText(value: string, role: Role): string {
  return `${value === "*" ? texts.everybody : value}: ${words.app.roles[role]}`;
}
