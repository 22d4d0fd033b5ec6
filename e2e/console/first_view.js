/** The first view: its size, and the ways to it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { withoutAutofill } from "../account_pages/person.js";
import { call, newUser } from "../support/server.js";
import { visit } from "../support/visit.js";
import { administrator, CONSOLE, hold } from "./person.js";
import { PATIENT } from "../world.js";

const MOST_BYTES = 130_000;

describe("the first view", () => {
  test("is at most 130 KB, compressed", PATIENT, async () => {
    const { person } = await administrator();
    const { page } = person;
    const live = page.getByText("Live", { exact: true });
    await live.waitFor();
    await page.locator("keystead-figures li").first().waitFor(); // files that still come would count twice
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.setCacheDisabled", { cacheDisabled: true });
    let bytes = 0;
    let former;
    const types = new Map();
    devTools.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
    devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (["Document", "Script", "Stylesheet", "Image"].includes(types.get(requestId))) bytes += encodedDataLength;
    });

    await page.reload();
    await person.sees("Overview");
    await live.waitFor();
    await page.locator("keystead-figures li").first().waitFor();
    do {
      former = bytes;
      await setTimeout(1000); // names in the events load further files
    } while (bytes > former);

    assert.ok(bytes > 20_000, `${bytes}`);
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
    console.log(`the first view has ${bytes} bytes`);
  });

  test("comes after the sign-in, at the address that was opened", PATIENT, async () => {
    const { person } = await administrator();
    await person.sees("Overview");
    await person.page.goto("about:blank"); // the page itself goes elsewhere once it has no session
    await person.page.context().clearCookies();
    await person.page.goto(`${CONSOLE}?again#/users?q=nobody-at-all`);
    await person.press("Sign in with a passkey");

    await person.sees("Users");
    assert.equal(await person.page.getByLabel("Search").inputValue(), "nobody-at-all");
    await person.page.getByText("Nobody is found.").waitFor();
  });

  test("is that of an address that changed before the person was known", PATIENT, async () => {
    const { person } = await administrator();
    const { page } = person;
    await person.sees("Overview");
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    let answer;
    const asked = new Promise((resolve) => {
      void page.route("**/GetCurrentUser", async (route) => {
        await new Promise((go) => {
          answer = go;
          resolve();
        });
        await route.continue();
      });
    });

    await page.reload({ waitUntil: "commit" });
    await asked;
    await page.evaluate(() => {
      location.hash = "#/users";
    });
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100))); // the event has been handled
    answer();

    await person.sees("Users");
    assert.deepEqual(errors, []);
  });

  test("of a place that loads late does not replace a later one", PATIENT, async () => {
    const { person, open } = await administrator();
    const { page } = person;
    await person.sees("Overview");
    const module = await hold(page, /\/assets\/groups-/);

    await open("#/groups");
    await module.asked;
    await open("#/users");
    await person.sees("Users");
    const released = page.waitForResponse(/\/assets\/groups-/);
    module.release();
    await (await released).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200))); // the module has run

    await person.sees("Users");
  });

  test("of a place that loads late has the focus, although the one before it was drawn again", PATIENT, async () => {
    const { person } = await administrator();
    const { page } = person;
    await person.sees("Overview");
    const module = await hold(page, /\/assets\/groups-/);

    await page.getByRole("link", { name: "Groups", exact: true }).focus();
    await page.keyboard.press("Enter");
    await module.asked;
    await page.evaluate(() => {
      const view = [...document.querySelectorAll("main > *")].find((each) => each.requestUpdate);
      view.requestUpdate();
      return view.updateComplete;
    });
    module.release();

    await person.sees("Groups");
    assert.equal(await person.focused(), "Groups");
  });

  test("comes after the registration, by the link of `keystead console`", PATIENT, async () => {
    const user = await newUser();
    await call("POST", `/v1/users/${user.userId}/roles`, { role: "ROLE_INSTANCE_OWNER" });

    const person = await visit(await user.link(CONSOLE), { script: withoutAutofill });
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");
    await person.page.getByRole("link", { name: "Open the console" }).click();

    await person.sees("Overview");
    assert.equal(new URL(person.page.url()).pathname, "/console/");
  });

  test("can be used by the keyboard alone", PATIENT, async () => {
    const { person } = await administrator();
    const { page } = person;
    await person.sees("Overview");

    await page.keyboard.press("Tab");
    assert.equal(await person.focused(), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await person.focused(), "Overview");

    await page.getByRole("link", { name: "Users", exact: true }).focus();
    await page.keyboard.press("Enter");
    await person.sees("Users");
    assert.equal(await person.focused(), "Users");
  });
});
