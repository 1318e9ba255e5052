/** Starts the page of the designer. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/theme.css";
import { App } from "./app/app.tsx";
import { readHash } from "./app/hash.ts";
import { screenOf, shownOf } from "./app/screens.ts";
import { applyTheme } from "./ui/theme.ts";

applyTheme();
const address = readHash(location.hash);
const screen = screenOf(address);
// Its code comes while the page still asks who uses it; a failure is reported where the screen is shown.
if (screen !== undefined)
  shownOf(screen, address)
    .load()
    .catch(() => {});
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
