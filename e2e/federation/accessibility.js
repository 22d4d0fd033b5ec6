import { signedIn, SIGN_IN, withoutAutofill } from "../account_pages/person.js";
import { visit } from "../support/visit.js";
import { LONG_NAME, testAccessibility } from "../support/accessibility.js";
import { refuse } from "../support/forged_answers.js";
import { call } from "../support/server.js";
import { given } from "../world.js";
import { organization, passProvider, provider, unique, visitor } from "./person.js";
import { UNAVAILABLE } from "../support/codes.js";


const shown = async (person, name) => {
  await person.page.getByRole("button", { name, exact: true }).waitFor();
  return person;
};

const STATES = {
  "a sign-in with providers": async () => {
    const button = { backgroundColor: "#ffffff", textColor: "#1f1f1f" };
    const { orgId } = await organization({ button });
    await provider(orgId, { name: LONG_NAME });
    return shown(await visitor(orgId), `Sign in with ${LONG_NAME}`);
  },
  "a sign-in with providers in German": async () => {
    const { orgId } = await organization();
    return shown(await visitor(orgId, { locale: "de-AT" }), "Mit Example anmelden");
  },
  "a mail address of no organization": async () => {
    const person = await visit(SIGN_IN, { script: withoutAutofill });
    await person.page.getByLabel("Account or mail address").fill("ada@nobody.example");
    await person.press("Continue");
    await person.page.getByText("No organization signs in addresses").waitFor();
    return person;
  },
  "providers that cannot be listed": async () => {
    const { orgId } = await organization();
    const person = await visit(SIGN_IN, {});
    await refuse(person.page, "ListSignInOptions", UNAVAILABLE, "DATABASE_UNAVAILABLE");
    await person.page.goto(`${SIGN_IN}?org_id=${orgId}`);
    return shown(person, "Try again");
  },
  "a callback that nobody began": async () => {
    const person = await visit(`${given.origin}/signin/callback/unknown?code=a`);
    await person.sees("This sign-in cannot be continued here");
    return person;
  },
  "an account with a link": async () => {
    const orgId = (await call("GET", "/v1/users/me")).user.details.resourceOwner;
    const { name } = await provider(orgId, { name: unique() });
    const { person } = await signedIn({ ignoreHTTPSErrors: true });
    await person.press(`Link ${name}`);
    await passProvider(person, unique());
    await person.page.getByText("The provider is linked.").waitFor();
    return person;
  },
};

testAccessibility(STATES);
