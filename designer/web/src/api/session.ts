/** Who uses the page, and what they may do. */
import { may, type Role, type Session } from "../../../shared/wire.ts";
import { createStore } from "../ui/store.ts";
import { call, onLoginAsked } from "./designer.ts";

export type SessionState =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "ready"; readonly session: Session };

export const sessionState = createStore<SessionState>({ kind: "loading" });

export async function loadSession(): Promise<void> {
  try {
    const { data } = await call<Session>("/designer/session");
    sessionState.set({ kind: "ready", session: data });
  } catch (error) {
    sessionState.set({ kind: "failed", error });
  }
}

/** Rejects with DesignerError: a wrong password, or too many attempts. */
export async function login(user: string, password: string): Promise<void> {
  await call("/designer/login", { method: "POST", body: { user, password } });
  await loadSession();
}

export async function logout(): Promise<void> {
  await call("/designer/logout", { method: "POST" });
  await loadSession();
}

/** Whether the user may do what needs at least this role. The servers hold it, the page only shows it. */
export function mayDo(least: Role): boolean {
  const state = sessionState.get();
  return state.kind === "ready" && state.session.user !== null && may(state.session.user.role, least);
}

onLoginAsked(() => {
  const state = sessionState.get();
  if (state.kind === "ready" && state.session.user !== null) void loadSession();
});
