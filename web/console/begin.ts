/** The beginning of the console. */

import { UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { translate } from "../shared/page";
import { onNews, onReturn } from "../shared/tabs";
import { loadTexts } from "../shared/words";
import { client, read } from "./api";
import { leave } from "./leaving";
import { loadWords } from "./words";

const users = client(UserService);

/** Loads the texts; other tabs can end the session, and browsers can show a page again that was left. */
export async function begin(): Promise<void> {
  addEventListener("pagehide", () => document.querySelector("keystead-console")?.remove());
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  await loadTexts();
  await loadWords();
  translate();
  const always = new AbortController().signal;
  onNews((news) => (news === "signed-in" ? location.reload() : leave(news)), always);
  // The session can end on another device. Any other failure is for the next action to show.
  onReturn(() => void read((options) => users.getCurrentUser({}, options)).catch(() => {}), always);
}
