/** The page: the login when the server wants one, else the frame around the screen that the address names. */
import { useEffect } from "react";
import { loadSession, sessionState } from "../api/session.ts";
import { LoginScreen } from "../login/login-screen.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { Frame } from "./frame.tsx";
import "./app.css";

export function App() {
  const state = useStore(sessionState);
  useEffect(() => {
    void loadSession();
  }, []);
  if (state.kind === "loading") return <Loading />;
  if (state.kind === "failed") {
    return (
      <main className="alone">
        <ErrorNote title={words.app.noSession} error={state.error} onRetry={() => void loadSession()} />
      </main>
    );
  }
  if (state.session.user === null) return <LoginScreen session={state.session} />;
  return <Frame session={state.session} user={state.session.user} />;
}
