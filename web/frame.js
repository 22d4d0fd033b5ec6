/** The frame of the pages that need JavaScript: `shared/frame.html`. The console and the start page have others. */

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const FRAME = readFileSync(join(import.meta.dirname, "shared/frame.html"), "utf8");

/** A plugin of Vite. A page without a frame of its own is four lines: title, body, and the heading and text without JavaScript. */
export function frame() {
  return {
    name: "frame",
    transformIndexHtml: {
      order: "pre",
      handler(html, { filename }) {
        if (html.startsWith("<!doctype")) return html;
        const [title, body, heading, text] = html.split("\n");
        const parts = { title, body, heading, text, root: relative(dirname(filename), import.meta.dirname) };
        return FRAME.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
      },
    },
  };
}
