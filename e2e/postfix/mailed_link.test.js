/** A person opens the link of a mail: `test_mails.py` runs it, and says which. */
import { test } from "node:test";
import { visit } from "../support/visit.js";
import { given, TIMEOUT } from "../world.js";

test("the link of the mail adds a passkey", TIMEOUT, async () => {
  const person = await visit(given.link);

  await person.page.getByLabel("Name of this passkey").fill(given.passkeyName);
  await person.press("Create passkey");

  await person.sees("Your passkey is ready");
});
