/** What one sets for this browser, and what the designer knows. */
import type { Session } from "../../../shared/wire.ts";
import { runtimeHealth } from "../api/cache.ts";
import { mayDo, sessionState } from "../api/session.ts";
import type { ScreenProps } from "../app/screens.ts";
import { ShortcutTable } from "../app/shortcut-table.tsx";
import { chooseTheme, theme, themes } from "../ui/theme.ts";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { PeopleSection } from "./people-section.tsx";
import { TargetsSection } from "./targets-section.tsx";
import "./settings.css";

export function SettingsScreen(_: ScreenProps) {
  const state = useStore(sessionState);
  return (
    <div className="screen settings">
      <header className="screen-head">
        <h1>{words.settings.title}</h1>
      </header>
      <ThemeSection />
      {state.kind === "ready" && <TargetsSection targets={state.session.targets} />}
      {state.kind === "ready" && mayDo("operator") && <PeopleSection login={state.session.login} />}
      <section>
        <h2>{words.settings.shortcuts}</h2>
        <ShortcutTable />
        <p className="faint">{words.settings.shortcutsHelp}</p>
      </section>
      {state.kind === "ready" && <AboutSection session={state.session} />}
    </div>
  );
}

function ThemeSection() {
  const chosen = useStore(theme);
  return (
    <section>
      <fieldset className="choices">
        <legend>{words.settings.theme}</legend>
        {themes.map((one) => (
          <label key={one} className="check">
            <input type="radio" name="theme" checked={one === chosen} onChange={() => chooseTheme(one)} />
            {words.settings.themes[one]}
          </label>
        ))}
      </fieldset>
    </section>
  );
}

function AboutSection({ session: { version, user, targets } }: { readonly session: Session }) {
  return (
    <section>
      <h2>{words.settings.about}</h2>
      <dl className="facts">
        <dt>{words.settings.designer}</dt>
        <dd>{version}</dd>
        {targets.map(({ name, label }) => (
          <RuntimeVersion key={name} name={name} label={label} />
        ))}
        {user !== null && (
          <>
            <dt>{words.settings.user}</dt>
            <dd>{user.name}</dd>
            <dt>{words.settings.role}</dt>
            <dd>{words.app.roles[user.role]}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function RuntimeVersion({ name, label }: { readonly name: string; readonly label: string }) {
  const { value } = useStore(runtimeHealth(name));
  return (
    <>
      <dt>
        {words.settings.runtime} ({label})
      </dt>
      <dd>{value === undefined ? words.settings.asked : `${value.version} (${value.engine.dsl})`}</dd>
    </>
  );
}
