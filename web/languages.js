/** Translations of the HTML files, which people see before a script runs, or without JavaScript. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Names of addresses, which are the same in every language. */
const NAMES = ["openapi.json", "livez", "readyz", "metrics"];
const WORDS = /(?<=<(?:title|h1|p|p class="lead"|a [^>]*)>)[^<]+/g;

const PRELOADED = /( *<link rel="modulepreload" crossorigin href="[./]*assets\/)[^"]+(">\n)/;
/** The texts of the pages, of which there is a chunk for each language in the list of the server. */
const PAGES = /\/words\/(?<language>[^/]+)\/pages\.ts$/;
const TEXTS = /\/words\/(?<language>[^/]+)\/(?<file>pages|first|console|remedies|notes|findings)\.ts$/;
/** The texts of the server that have no file in English. */
const ENGLISH = "gen/console/english.json";
/** A sentence can name the first itself, and leave out the second, which is in English. */
const OPTIONAL_PLACES = ["smtp_config", "violation"];

/**
 * Writes `index.<language>.html` beside each `index.html`, and lets each page load the texts of its language with its
 * scripts.
 *
 * A text that is not translated fails the build, and so does a translation that no page uses, or that has other places for
 * values than English.
 */
export function languages() {
  return {
    name: "languages",
    enforce: "post",
    async generateBundle(_options, bundle) {
      await checkPlaces(bundle, (message) => this.error(message));
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

async function checkPlaces(bundle, fail) {
  const english = JSON.parse(readFileSync(join(import.meta.dirname, ENGLISH), "utf8"));
  const places = new Map(Object.entries(english).map(([file, texts]) => [`en/${file}`, new Map(placesOf(texts))]));
  for (const { facadeModuleId, code } of Object.values(bundle)) {
    const found = TEXTS.exec(facadeModuleId ?? "");
    if (!found) continue;
    const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    places.set(`${found.groups.language}/${found.groups.file}`, new Map(placesOf(Object.values(module)[0])));
  }
  for (const [name, translated] of places) {
    for (const [key, english] of places.get(name.replace(/^[^/]+/, "en"))) {
      const given = translated.get(key);
      if (given !== english) fail(`words/${name}.ts: "${key}" needs the places {${english}}, not {${given}}`);
    }
  }
}

/** The places of each text. Those of numbers are the same in all forms. */
function* placesOf(texts, prefix = "") {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === "string") {
      const places = [...value.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
      const needed = places.filter((place) => !OPTIONAL_PLACES.includes(place));
      yield [prefix + key, [...new Set(needed)].sort().join("}, {")];
    } else if ("other" in value || "many" in value) {
      const forms = new Map(placesOf(value));
      yield [prefix + key, [...new Set(forms.values())].join(" or ")];
    } else yield* placesOf(value, `${prefix}${key}.`);
  }
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
