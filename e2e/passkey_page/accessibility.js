import { PAGE, visit } from "../support/visit.js";
import { LONG_NAME, testAccessibility } from "../support/accessibility.js";
import { refuse } from "../support/forged_answers.js";
import { newUser } from "../support/server.js";
import { FAILED_PRECONDITION, UNAVAILABLE } from "../support/codes.js";


async function byLink(options) {
  const person = await visit(await (await newUser()).link(), options);
  await person.page.getByRole("heading", { level: 1 }).waitFor();
  return person;
}

async function listed(...names) {
  const person = await visit(PAGE);
  await person.signIn(await (await newUser()).token());
  for (const name of names) {
    await person.takesAnotherDevice();
    await person.press("Add a passkey");
    await person.page.getByLabel("Name of this passkey").fill(name);
    await person.press("Create passkey");
    await person.page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
  }
  return person;
}

const STATES = {
  "the form of a link": () => byLink(),
  "a setback": async () => {
    const person = await byLink();
    await refuse(person.page, "RegisterPasskey", UNAVAILABLE, "DATABASE_UNAVAILABLE");
    await person.press("Create passkey");
    await person.isTold("The service is not available right now");
    return person;
  },
  "a wrong name": async () => {
    const person = await byLink();
    await person.page.getByLabel("Name of this passkey").fill("");
    await person.press("Create passkey");
    await person.page.getByText("Enter a name.").waitFor();
    return person;
  },
  "the passkey is ready": async () => {
    const person = await byLink();
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");
    return person;
  },
  "the link is at its end": async () => {
    const person = await byLink();
    await refuse(person.page, "RegisterPasskey", FAILED_PRECONDITION, "LINK_EXPIRED");
    await person.press("Create passkey");
    await person.sees("This link has expired");
    return person;
  },
  "a reloaded link": async () => {
    const person = await byLink();
    await person.page.reload();
    await person.sees("Open your link again");
    return person;
  },
  "a browser without passkeys": () => byLink({ script: () => delete window.PublicKeyCredential }),
  "the form of a token": () => visit(PAGE),
  "no passkeys": () => listed(),
  "passkeys": () => listed("Laptop", LONG_NAME),
  "renaming one": async () => {
    const person = await listed("Laptop");
    await person.press("Rename \u2068Laptop\u2069");
    return person;
  },
  "removing one": async () => {
    const person = await listed(LONG_NAME);
    await person.press(`Remove \u2068${LONG_NAME}\u2069`);
    return person;
  },
};

testAccessibility(STATES);
