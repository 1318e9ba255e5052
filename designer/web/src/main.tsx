/** Starts the page of the designer. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/theme.css";
import { App } from "./app/app.tsx";
import { applyTheme } from "./ui/theme.ts";

applyTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
