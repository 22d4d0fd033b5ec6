import { defineConfig } from "vite";
import { binary } from "./binary.js";
import { frame } from "./frame.js";
import { languages } from "./languages.js";
import { licenses } from "./licenses.js";

/** The build is committed: nothing in it may depend on when, where or by whom it was made. */
export default defineConfig({
  base: "./", // for a proxy that serves the pages below a path
  plugins: [binary(), frame(), licenses(), languages()],
  build: {
    outDir: "../bridge/pages/assets",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [".", "account", "console", "device", "missing", "passkeys", "signin", "signin/callback"].map(
        (page) => `${page}/index.html`,
      ),
    },
  },
});
