/** The screen of the address, with what is shown while it is loaded and when it breaks. */
import { useEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { loadWhenIdle } from "../ui/on-demand.tsx";
import { words } from "../words.ts";
import { type Address, hashOf } from "./hash.ts";
import { type Screen, shownOf } from "./screens.ts";

interface ScreenPlaceProps {
  readonly screen: Screen | undefined;
  readonly address: Address;
}

export function ScreenPlace({ screen, address }: ScreenPlaceProps) {
  const next = address.rest.length === 0 ? screen?.one : undefined;
  // Most of what a list has is opened from it.
  useEffect(() => (next === undefined ? undefined : loadWhenIdle(next)), [next]);
  if (screen === undefined) return <NotFound />;
  const Shown = shownOf(screen, address);
  return (
    <ErrorBoundary
      resetKeys={[screen.path, address.rest[0]]}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <div className="screen">
          <ErrorNote title={words.app.broken} error={error} onRetry={resetErrorBoundary} />
        </div>
      )}
    >
      <Shown address={address} />
    </ErrorBoundary>
  );
}

function NotFound() {
  return (
    <EmptyState icon="search" title={words.app.notFound} text={words.app.notFoundText}>
      <a className="button" href={hashOf(["flows"])}>
        {words.app.toFlows}
      </a>
    </EmptyState>
  );
}
