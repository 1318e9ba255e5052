/** Asks who one is, when the server wants to know. */
import { useState } from "react";
import type { Session } from "../../../shared/wire.ts";
import { login } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import "./login.css";

export function LoginScreen({ session }: { readonly session: Session }) {
  return (
    <main className="login">
      <h1>{words.app.name}</h1>
      {session.login === "oidc" ? (
        <a className="button primary" href="/designer/login/oidc">
          {words.login.provider}
        </a>
      ) : (
        <PasswordForm />
      )}
      <p className="faint">{words.login.version(session.version)}</p>
    </main>
  );
}

function PasswordForm() {
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await login(user, password);
    } catch (failure) {
      setError(failure);
      setPassword("");
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="login-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p>{words.login.text}</p>
      <Field label={words.login.user}>
        {(input) => (
          <input
            {...input}
            className="input"
            autoComplete="username"
            autoCapitalize="none"
            required
            value={user}
            onChange={(event) => setUser(event.target.value)}
          />
        )}
      </Field>
      <Field label={words.login.password}>
        {(input) => (
          <input
            {...input}
            className="input"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {error !== undefined && <ErrorNote title={words.login.failed} error={error} />}
      <Button kind="primary" type="submit" disabled={isBusy}>
        {words.login.action}
      </Button>
    </form>
  );
}
