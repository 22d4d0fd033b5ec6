import { cases } from "../cases.js";
import { webClients } from "../clients/web.js";

/**
 * Runs one case of `cases.js`. `given` is the description of the servers; `browser.test.js` sets
 * `logged` and `waiting` on the window.
 */
window.run = async (webUrl, given, clientName, sentence) => {
  const client = webClients(webUrl).find(({ name }) => name === clientName);
  await cases(client, { ...given, logged: window.logged, waiting: window.waiting })[sentence]();
};
