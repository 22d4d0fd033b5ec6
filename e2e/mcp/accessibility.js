import { signedIn } from "../account_pages/person.js";
import { CONSENT, requestOf } from "../authorization/person.js";
import { testAccessibility } from "../support/accessibility.js";
import { given } from "../world.js";
import { admitDocument, callback, CLIENT_URL } from "./person.js";

/** A person who is asked for consent by an application with a metadata document. */
async function asked(heading, options) {
  await admitDocument();
  const { person } = await signedIn(options);
  const parameters = { redirect_uri: callback(), scope: "tools.call offline_access", resource: given.resource };
  await person.page.goto(requestOf(CLIENT_URL, parameters).address);
  await person.sees(heading);
  return person;
}

testAccessibility({
  "the question for consent of an application by its document": () => asked(CONSENT),
  "the same in German": () => asked("Zugriff auf Ihr Konto erlauben?", { locale: "de-AT" }),
});
