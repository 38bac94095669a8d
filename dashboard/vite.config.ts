import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// One script and one style sheet with fixed names: the server embeds them by name, and clients revalidate them by their
// entity tags.
export default defineConfig({
  // Relative URLs work below any path prefix of a proxy.
  base: "./",
  plugins: [svelte()],
  resolve: {
    alias: {
      trainyard: path("../clients/typescript/src/index.ts"),
      "openapi-fetch": path("node_modules/openapi-fetch"),
    },
  },
  build: {
    outDir: process.env["DASHBOARD_OUT"] ?? path("../assets/dashboard"),
    emptyOutDir: false,
    target: "es2022",
    // The polyfill would be inline code for older browsers.
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "dashboard.js", assetFileNames: "dashboard[extname]" },
    },
  },
});
