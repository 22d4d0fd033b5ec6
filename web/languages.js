/** Translations of the HTML files, which people see before a script runs, or without JavaScript. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Names of addresses, which are the same in every language. */
const NAMES = ["openapi.json", "livez", "readyz", "metrics"];
const WORDS = /(?<=<(?:title|h1|p|p class="lead"|a [^>]*)>)[^<]+/g;

const PRELOADED = /( *<link rel="modulepreload" crossorigin href="[./]*assets\/)[^"]+(">\n)/;
/** The texts of the pages, of which there is a chunk for each language in the list of the server. */
const PAGES = /\/words\/(?<language>[^/]+)\/pages\.ts$/;

/**
 * Writes `index.<language>.html` beside each `index.html`, and lets each page load the texts of its language with its
 * scripts.
 *
 * A text that is not translated fails the build, and so does a translation that no page uses.
 */
export function languages() {
  return {
    name: "languages",
    enforce: "post",
    generateBundle(_options, bundle) {
      const texts = new Map();
      for (const { facadeModuleId, fileName } of Object.values(bundle)) {
        const found = PAGES.exec(facadeModuleId ?? "");
        if (found) texts.set(found.groups.language, fileName.split("/").at(-1));
      }
      const preloading = (language, source) =>
        source.replace(PRELOADED, (link, before, after) => link + before + texts.get(language) + after);
      const pages = Object.values(bundle)
        .filter(({ fileName }) => /(^|\/)index\.html$/.test(fileName))
        .map((page) => ({ page, english: page.source }));
      for (const language of texts.keys()) {
        if (language === "en") continue;
        const translate = translator(language, (message) => this.error(message));
        for (const { page, english } of pages) {
          const source = english.replace('<html lang="en">', `<html lang="${language}">`);
          this.emitFile({
            type: "asset",
            fileName: page.fileName.replace(".html", `.${language}.html`),
            source: preloading(language, source.replace(WORDS, translate)),
          });
        }
        translate.end();
      }
      for (const { page, english } of pages) page.source = preloading("en", english);
    },
  };
}

function translator(language, fail) {
  const file = `words/${language}/html.json`;
  const translations = JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"));
  const used = new Set(NAMES);
  const translate = (words) => {
    used.add(words);
    if (NAMES.includes(words)) return words;
    return translations[words] || fail(`${file}: "${words}" is not translated`);
  };
  translate.end = () => {
    const unused = Object.keys(translations).filter((words) => !used.has(words));
    if (unused.length > 0) fail(`${file}: no page has the text "${unused[0]}"`);
  };
  return translate;
}
