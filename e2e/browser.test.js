import { build } from "esbuild";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { cases } from "./cases.js";
import { webClients } from "./clients/web.js";
import { launchChromium } from "./support/chromium.js";
import { foreignPort, given, pagePort, TIMEOUT, webUrl, world } from "./world.js";

const page = await readFile("page/index.html");
const { outputFiles } = await build({
  entryPoints: ["page/main.js"],
  bundle: true,
  format: "esm",
  write: false,
});
const servers = [pagePort, foreignPort].map((port) =>
  createServer(({ url }, response) => {
    const [type, body] =
      url === "/main.js" ? ["text/javascript", outputFiles[0].contents] : ["text/html", page];
    response.setHeader("content-type", type).end(body);
  }).listen(port, "127.0.0.1"),
);

let browser;
before(async () => {
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  servers.forEach((server) => server.close());
});

/** A page of the origin in a profile of its own, which has a cookie for Keystead. */
async function open(port) {
  const context = await browser.newContext();
  await context.addCookies([{ name: "theme", value: "ciemny-żółty", url: webUrl }]);
  const opened = await context.newPage();
  opened.on("console", (message) => console.log(`${message.type()}: ${message.text()}`));
  await opened.exposeFunction("logged", world.logged);
  await opened.exposeFunction("waiting", world.waiting);
  await opened.goto(`http://127.0.0.1:${port}/`);
  await opened.waitForFunction(() => window.run);
  return opened;
}

describe("a page of an allowed origin", () => {
  let opened;
  before(async () => (opened = await open(pagePort)));

  for (const client of webClients(webUrl)) {
    describe(client.name, () => {
      for (const sentence of Object.keys(cases(client, world))) {
        test(sentence, TIMEOUT, () => run(opened, client, sentence));
      }
    });
  }
});

describe("a page of any other origin", () => {
  let opened;
  before(async () => (opened = await open(foreignPort)));

  for (const client of webClients(webUrl)) {
    test(`gets nothing by ${client.name}`, TIMEOUT, async () => {
      await assert.rejects(
        run(opened, client, "is told who it is"),
        /Failed to fetch|http status code: 0/,
      );
    });
  }

  test("cannot read even public answers", TIMEOUT, async () => {
    const url = `${webUrl}/livez`;
    assert.equal(
      await opened.evaluate(async (url) => (await fetch(url, { mode: "no-cors" })).type, url),
      "opaque",
    );
    await assert.rejects(
      opened.evaluate((url) => fetch(url), url),
      /Failed to fetch/,
    );
  });
});

function run(opened, client, sentence) {
  const words = [webUrl, given, client.name, sentence];
  return opened.evaluate((words) => window.run(...words), words);
}
