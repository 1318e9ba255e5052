/** Builds the page of the designer: designer/web -> designer/dist, which the designer's server sends. */
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: resolve(import.meta.dirname, "web"),
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, "dist"),
    emptyOutDir: true,
    target: "es2024",
    // An inlined file would be a data: URL, which the page's Content-Security-Policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Browsers fetch six files at a time over HTTP/1.1: many small ones take a round trip for each six of them.
            { name: "page", tags: ["$initial"] },
            // All that the list of flows needs of the model.
            { name: "slug", test: /model[\\/]slug\.ts$/ },
            // The drawing of a flow, with its model.
            {
              name: "flow",
              test: /web[\\/]src[\\/]editor[\\/](?:session|canvas|actions)[\\/]|node_modules[\\/](?:yaml|@codemirror[\\/]state)[\\/]/,
            },
          ],
        },
      },
    },
  },
});
