/** The frame: where one is, where one can go, on which runtime, as whom. */
import { useEffect, useRef, useState } from "react";
import type { Session, User } from "../../../shared/wire.ts";
import { Dialogs } from "../ui/dialogs.tsx";
import { Icon } from "../ui/icon.tsx";
import { showInRow } from "../ui/show-in-row.ts";
import { Toasts } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { useAddress } from "./address.ts";
import { hashOf } from "./hash.ts";
import { openPalette } from "./palette.tsx";
import { ScreenPlace } from "./screen-place.tsx";
import { screenOf, screens } from "./screens.ts";
import { TargetMenu } from "./target-menu.tsx";
import { ThemeMenu } from "./theme-menu.tsx";
import { usePageKeys } from "./use-page-keys.ts";
import { UserMenu } from "./user-menu.tsx";
import "./frame.css";

interface FrameProps {
  readonly session: Session;
  readonly user: User;
}

export function Frame({ session, user }: FrameProps) {
  const address = useAddress();
  const here = screenOf(address);
  const main = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(true);
  const place = `${here?.path} ${address.rest[0] ?? ""}`;
  usePageKeys();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the change of the place only
  useEffect(() => {
    document.title = [address.rest[0], here?.title ?? words.app.notFound, words.app.name].filter(Boolean).join(" · ");
    // A screen reader begins with the new screen, and so does Tab.
    if (!first) main.current?.focus();
    showInRow(document.querySelector(".nav [aria-current]"));
    setFirst(false);
  }, [place]);
  return (
    <div className="frame">
      <a
        className="skip"
        href={location.hash}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {words.app.skip}
      </a>
      <header className="top">
        <strong className="brand">{words.app.name}</strong>
        <TargetMenu targets={session.targets} />
        <span className="space" />
        <button
          type="button"
          className="button palette-button"
          title={words.app.openPalette}
          aria-keyshortcuts="Control+K"
          onClick={openPalette}
        >
          <Icon name="search" />
          <span>{words.app.find}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <ThemeMenu />
        <UserMenu user={user} login={session.login} />
      </header>
      <nav className="nav" aria-label={words.app.screens}>
        {screens.map(({ path, title, icon }) => (
          <a key={path} href={hashOf([path])} aria-current={path === here?.path ? "page" : undefined}>
            <Icon name={icon} />
            {title}
          </a>
        ))}
      </nav>
      <main ref={main} className="main" tabIndex={-1}>
        <ScreenPlace screen={here} address={address} />
      </main>
      <Dialogs />
      <Toasts />
    </div>
  );
}
