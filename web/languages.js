/** Translations of the HTML files, which people see before a script runs, or without JavaScript. */

const GERMAN = {
  "Allow JavaScript for this address, go back and sign in again.":
    "Erlauben Sie JavaScript für diese Adresse, gehen Sie zurück und melden Sie sich neu an.",
  "Allow JavaScript for this address and load the page again.":
    "Erlauben Sie JavaScript für diese Adresse und laden Sie die Seite neu.",
  "API documentation": "API-Dokumentation",
  Console: "Konsole",
  "The console needs JavaScript": "Die Konsole braucht JavaScript",
  "Connect a device": "Gerät verbinden",
  "Connecting a device needs JavaScript": "Das Verbinden braucht JavaScript",
  "Help by mail": "Hilfe per E-Mail",
  Licences: "Lizenzen",
  "Nothing is at this address. Check it, or begin at the start page.":
    "Unter dieser Adresse ist nichts. Prüfen Sie sie, oder beginnen Sie auf der Startseite.",
  "Page not found": "Seite nicht gefunden",
  Passkeys: "Passkeys",
  "Passkeys need JavaScript": "Passkeys brauchen JavaScript",
  "Sign in": "Anmelden",
  "Signing in needs JavaScript": "Die Anmeldung braucht JavaScript",
  "To the start page": "Zur Startseite",
  Welcome: "Willkommen",
  "Your account": "Ihr Konto",
  "Your account needs JavaScript": "Ihr Konto braucht JavaScript",
};
/** Names of addresses, which are the same in every language. */
const NAMES = ["openapi.json", "livez", "readyz", "metrics"];
const WORDS = /(?<=<(?:title|h1|p|p class="lead"|a [^>]*)>)[^<]+/g;

const PRELOADED = /( *<link rel="modulepreload" crossorigin href="[./]*assets\/)[^"]+(">\n)/;

/**
 * Writes `index.de.html` beside each `index.html`, and lets each page load the texts of its language with its scripts.
 *
 * A text that is not translated fails the build.
 */
export function languages() {
  return {
    name: "languages",
    enforce: "post",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === "chunk");
      const preloading = (language, source) => {
        const { fileName } = chunks.find(({ name }) => name === language);
        return source.replace(PRELOADED, (link, before, after) => link + before + fileName.split("/").at(-1) + after);
      };
      for (const page of Object.values(bundle)) {
        const { fileName, source } = page;
        if (!/(^|\/)index\.html$/.test(fileName)) continue;
        const german = source.replace('<html lang="en">', '<html lang="de">').replace(WORDS, (words) => {
          if (NAMES.includes(words)) return words;
          if (!(words in GERMAN)) this.error(`${fileName}: "${words}" is not translated`);
          return GERMAN[words];
        });
        page.source = preloading("en", source);
        this.emitFile({
          type: "asset",
          fileName: fileName.replace(".html", ".de.html"),
          source: preloading("de", german),
        });
      }
    },
  };
}
