import { cases } from "../cases.js";
import { webClients } from "../clients/web.js";

/**
 * Runs one case of `cases.js`. `given` is what the page cannot know; `logged` and `waiting` are put
 * on the window by `browser.test.js`.
 */
window.run = async (webUrl, given, clientName, sentence) => {
  const client = webClients(webUrl).find(({ name }) => name === clientName);
  await cases(client, { ...given, logged: window.logged, waiting: window.waiting })[sentence]();
};
