/** The view of the system. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addAxe, violations } from "../support/axe.js";
import { PATIENT } from "../world.js";
import { administrator } from "./person.js";

describe("the system", () => {
  test("shows findings with their remedies before all else", PATIENT, async () => {
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: "#/system" });
    const { page } = person;
    await person.sees("System");

    await page.getByText("No SMTP configuration is set, so no mail is sent.").waitFor();
    await page.getByText("Add one: keystead smtp add").waitFor();
    assert.equal(await page.locator("section h2").first().innerText(), "Findings");
    await page.getByText(/checks found no problem/).click();
    await page.getByText("The clock of the database agrees with this machine's.").waitFor();
    await addAxe(page);
    assert.deepEqual(await violations(page), []);
  });

  test("shows findings in the language of the reader", PATIENT, async () => {
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: "#/system", locale: "de-AT" });
    const { page } = person;

    await page.getByText("Es gibt keine SMTP-Konfiguration, deshalb wird keine E-Mail gesendet.").waitFor();
    assert.equal(await page.getByText("Legen Sie eine an: keystead smtp add").getAttribute("lang"), "de");
    await page.getByText(/Prüfungen ohne Befund/).click();
    await page.getByText("Registrierungslinks öffnen http").waitFor();
    assert.deepEqual(await page.locator('.findings [lang="en"]').allInnerTexts(), []);
  });

  test("finds settings by name and meaning, and shows secrets only as set", PATIENT, async () => {
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: "#/system" });
    const { page } = person;
    const rows = page.locator("section").last().locator("tbody tr");

    await page.getByLabel("Search", { exact: true }).fill("database_url");
    await page.waitForFunction(() => [...document.querySelectorAll("section:last-of-type tbody tr")].length === 1);
    assert.match(await rows.innerText(), /KEYSTEAD_DATABASE_URL[\s\S]*Set \(secret\)/);
    assert.doesNotMatch(await page.locator("main").innerText(), /postgresql:\/\//);

    await page.getByLabel("Search", { exact: true }).fill("share the ports");
    await rows.filter({ hasText: "KEYSTEAD_WORKERS" }).waitFor();
    await page.getByLabel("Search", { exact: true }).fill("");
    await page.getByLabel("Only those that differ from their default").check();
    await rows.filter({ hasText: "KEYSTEAD_SMTP_ALLOWED_NETWORKS" }).waitFor();
    assert.equal(await rows.filter({ hasText: "KEYSTEAD_TRACE_RATIO" }).count(), 0);
    assert.match(page.url(), /changed=1/);
  });

  test("fits a narrow screen", PATIENT, async () => {
    const { person } = await administrator("ROLE_INSTANCE_OWNER", {
      at: "#/system",
      viewport: { width: 360, height: 740 },
    });
    await person.page.getByText("KEYSTEAD_WORKERS", { exact: true }).waitFor();

    assert.equal(await person.page.evaluate(() => document.documentElement.scrollWidth), 360);
  });

  test("is only for instance owners", PATIENT, async () => {
    const { person } = await administrator("ROLE_ORG_OWNER", { at: "#/system" });

    await person.sees("You may not see this");
    assert.equal(await person.page.getByRole("link", { name: "System" }).count(), 0);
  });
});
