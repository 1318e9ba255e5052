/** The screen of the address, with what is shown while it is loaded and when it breaks. */
import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { words } from "../words.ts";
import { type Address, hashOf } from "./hash.ts";
import type { Screen } from "./screens.ts";

interface ScreenPlaceProps {
  readonly screen: Screen | undefined;
  readonly address: Address;
}

export function ScreenPlace({ screen, address }: ScreenPlaceProps) {
  if (screen === undefined) return <NotFound />;
  const Shown = address.rest.length > 0 && screen.one !== undefined ? screen.one : screen.component;
  return (
    <ErrorBoundary
      resetKeys={[screen.path, address.rest[0]]}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <div className="screen">
          <ErrorNote title={words.app.broken} error={error} onRetry={resetErrorBoundary} />
        </div>
      )}
    >
      <Suspense fallback={<Loading />}>
        <Shown address={address} />
      </Suspense>
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
