/** Hundreds of people are invited by a pasted list or a file, in a few clicks. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { addAxe, violations } from "../support/axe.js";
import { call } from "../support/server.js";
import { administrator, newOrganization } from "./person.js";
import { PATIENT } from "../world.js";

const PEOPLE = 300;
/** The dialog of the browser: the file, and the button that opens it. */
const CLICKS_IN_THE_FILE_DIALOG = 2;

/** As Excel saves it in Germany: semicolons, quotes, and the Western European code page. */
const file = (rows) => ({
  name: "people.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(`Vorname;Nachname;E-Mail-Adresse;Notiz, Ort, Jahr, Rest\r\n${rows.join("\r\n")}\r\n`, "latin1"),
});

describe("an administrator of a new organization", () => {
  before(() => call("POST", "/v1/smtp", { senderAddress: "no-reply@example.com", senderName: "Example", host: "127.0.0.1:9", tls: false }));

  test("invites 300 people of a file in under ten clicks", PATIENT, async () => {
    const { scope, person, page } = await at("#/");
    const { groupId } = await call("POST", "/v1/groups", { name: "staff", displayName: "Staff" }, scope);
    await page.evaluate(() => {
      window.clicks = 0;
      addEventListener("click", ({ isTrusted }) => (window.clicks += isTrusted ? 1 : 0), true);
    });

    await page.getByRole("link", { name: "Users", exact: true }).first().click();
    await page.getByRole("link", { name: "Invite people" }).click();
    const rows = Array.from({ length: PEOPLE - 1 }, (_, n) => `Zoë;"Müller; ${n}";zoe-${n}@example.com;"two\r\nlines"`);
    const chooser = page.waitForEvent("filechooser");
    await page.getByLabel("Or a CSV file").click();
    await (await chooser).setFiles(file([...rows, "Nobody;Known;nobody;"]));
    await person.sees("Invite people");
    await page.getByRole("heading", { name: "300 people" }).waitFor();
    assert.equal(await page.getByLabel("Column 3: E-Mail-Adresse").inputValue(), "email");
    assert.equal(await page.getByLabel("Column 4: Notiz, Ort, Jahr, Rest").inputValue(), "");
    await page.getByLabel("Staff").click();
    await person.press("Check the list");
    await page.getByText("299 people can be invited.").waitFor();
    await page.getByRole("heading", { name: "1 person cannot be invited" }).waitFor();
    const download = page.waitForEvent("download");
    await person.press("Download as CSV");
    const refused = await readFile(await (await download).path(), "utf8");
    assert.match(refused, /^\ufeffVorname,Nachname,E-Mail-Adresse,"Notiz, Ort, Jahr, Rest",Problem\r\nNobody,Known,nobody,,"?Mail address: must/);
    await addAxe(page);
    for (const width of [360, 1200]) {
      await page.setViewportSize({ width, height: 740 });
      assert.deepEqual(await violations(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
    await person.press("Invite 299 people");
    await page.getByText("299 people get an invitation.").waitFor();

    const clicks = (await page.evaluate(() => window.clicks)) + CLICKS_IN_THE_FILE_DIALOG;
    console.log(`300 people take ${clicks} clicks`);
    assert.ok(clicks < 10, `${clicks} clicks`);
    const { members } = await call("GET", `/v1/groups/${groupId}/members?page_size=200`, undefined, scope);
    assert.equal(members.length, 200);
    const { people, peopleWithPasskey } = await call("GET", "/v1/users:count", undefined, scope);
    assert.deepEqual([people, peopleWithPasskey ?? 0], [299, 0]);
    const { users } = await call("GET", "/v1/users?page_size=200", undefined, scope);
    assert.deepEqual([users[17].displayName, users[17].givenName], ["Zoë Müller; 17", "Zoë"]);
    await page.getByRole("link", { name: "Users", exact: true }).first().click();
    await page.getByText("0 of 299 people have a passkey.").waitFor();
  });

  test("invites people of a pasted list with the keyboard, and learns who was left out", PATIENT, async () => {
    const { scope, person, page } = await at("#/users/invite");
    for (const userName of ["eve", "eve-again"]) await call("POST", "/v1/users", { userName, email: "eve@example.com" }, scope);

    await page.getByLabel("Mail addresses or a table").focus();
    await page.keyboard.insertText('"Lovelace, Ada" <ada@example.com>; EVE@example.com\nbob@example.com, and a remark');
    await page.getByText("No address was found in: and a remark").waitFor();
    await page.getByRole("heading", { name: "3 people" }).waitFor();
    await page.getByRole("button", { name: "Check the list" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("2 people can be invited.").waitFor();
    await page.getByRole("row").filter({ hasText: "EVE@example.com" }).getByText("is the address of another user").waitFor();
    await page.getByRole("button", { name: "Invite 2 people" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("2 people get an invitation.").waitFor();

    await person.press("Invite all without a passkey");
    await page.getByText("1 person gets an invitation. 2 people got one in the last 7 days.").waitFor();
    await page.getByRole("heading", { name: "1 person cannot be invited" }).waitFor();
    await page.getByRole("row").filter({ hasText: "eve@example.com" }).getByText("Too many mails").waitFor();
    const { users } = await call("GET", "/v1/users?query=ada@example.com", undefined, scope);
    assert.equal(users[0].displayName, "Lovelace, Ada");
  });

  test("is told of a repeated address, and sees each address whole", PATIENT, async () => {
    const { person, page } = await at("#/users/invite");
    const long = "somebody.with.a.long.name@subsidiary.of.a.company.example.com";

    await page
      .getByLabel("Mail addresses or a table")
      .fill(`Mail;Name\n${long};Ada\n;\nbob@example.com;Bob\n${long.toUpperCase()};Ada\ncarl@example.com;C\neve@example.com;E`);
    const [first, last] = [page.locator("tbody tr").first(), page.locator("tbody tr").nth(4)];
    const [{ height }, { height: other }] = [await first.boundingBox(), await last.boundingBox()];
    assert.ok(Math.abs(height - other) < 2, `${height}, ${other}`);
    assert.ok(await page.locator(".preview").evaluate((each) => each.scrollHeight <= each.clientHeight));
    await person.press("Check the list");
    await page.getByText("Line 5 repeats the address of line 2.").waitFor();
    await page.getByText("4 people can be invited.").waitFor();
  });

  test("gives the people of a list a role", PATIENT, async () => {
    const { scope, person, page } = await at("#/users/invite");

    await page.getByLabel("Mail addresses or a table").fill("Name\tMail\nGrace Hopper\tgrace@example.com");
    await page.getByLabel("Role").selectOption({ label: "Auditor" });
    await person.press("Check the list");
    await person.press("Invite 1 person");
    await page.getByText("1 person gets an invitation.").waitFor();

    const { users } = await call("GET", "/v1/users?query=grace", undefined, scope);
    assert.deepEqual(users[0].roles, ["ROLE_ORG_AUDITOR"]);
  });
});

async function at(hash) {
  const { orgId } = await newOrganization();
  const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: `${hash}?org=${orgId}` });
  return { scope: { "x-service-orgid": orgId }, person, page: person.page };
}
