/**
 * The licences of the bundled packages, as a file of the build: each package, the notices at the head of its
 * files, and the text of the Apache License, which the packages do not contain. Others have a file with their licence.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const APACHE = readFileSync(join(import.meta.dirname, "../LICENSE"), "utf8");
const PACKAGE = /^(?<folder>.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** A plugin of Vite. The build fails if a package has a licence other than those that are allowed here. */
export function licenses() {
  return {
    name: "licenses",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
      const source = `${[...packagesOf(modules)].sort().join("\n\n")}\n\n${APACHE}`;
      this.emitFile({ type: "asset", fileName: "licenses.txt", source });
    },
  };
}

function packagesOf(modules) {
  const notices = new Map();
  for (const file of modules) {
    const folder = PACKAGE.exec(file)?.groups.folder;
    if (folder) notices.set(folder, (notices.get(folder) ?? new Set()).add(noticeOf(file)));
  }
  return [...notices].map(([folder, found]) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (!/^(Apache-2\.0|\(Apache-2\.0 AND BSD-3-Clause\)|BSD-3-Clause|CC0-1\.0)$/.test(license)) {
      throw new Error(`${name} is under ${license}, which licenses.js does not allow`);
    }
    if (license === "BSD-3-Clause")
      return `${name} ${version}: ${license}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}`;
    return [`${name} ${version}: ${license}`, ...[...found].filter(Boolean).sort()].join("\n\n");
  });
}

/** The comment that a file begins with. */
function noticeOf(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  const notice = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ""));
  return notice.join("\n");
}
