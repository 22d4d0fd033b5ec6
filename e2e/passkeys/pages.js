import { build } from "esbuild";
import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { foreignPort, given, pagePort } from "../world.js";

const html = await readFile("passkeys/index.html");
const { outputFiles } = await build({
  entryPoints: ["passkeys/page.js"],
  bundle: true,
  format: "esm",
  write: false,
});
const certificate = await readFile(given.certificate); // with its key

/** Serves the same page on every port and path, and https on one of them. */
export function servePages() {
  const secure = { cert: certificate, key: certificate };
  const servers = [
    createServer(answer).listen(pagePort, "127.0.0.1"),
    createServer(answer).listen(foreignPort, "127.0.0.1"),
    createSecureServer(secure, answer).listen(given.securePort, "127.0.0.1"),
  ];
  return () => servers.forEach((server) => server.close());
}

async function answer({ url }, response) {
  if (url === "/page.js") {
    response.setHeader("content-type", "text/javascript").end(outputFiles[0].contents);
  } else if (url.startsWith("/.well-known/")) {
    const published = await fetch(given.relatedServer.webUrl + url);
    response.writeHead(published.status, [...published.headers].flat()).end(await published.text());
  } else {
    response.setHeader("content-type", "text/html").end(html);
  }
}

/** The certificate's key as `--ignore-certificate-errors-spki-list` takes it. */
export function publicKeyHash() {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}
