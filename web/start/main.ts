/** The page `/`: leads a person who is signed in to the account, and everybody else to the sign-in. */

import { isRedirected } from "../shared/address";
import { h, nameOf, say, show } from "../shared/dom";
import { begin } from "../shared/page";
import { bySession } from "../shared/session";
import { onNews } from "../shared/tabs";
import { text, textWith } from "../shared/words";

async function start(): Promise<void> {
  say(text("start.loading"));
  try {
    const { user } = await bySession.users.getCurrentUser({});
    if (user) {
      const name = h("strong", {}, nameOf(user.displayName || user.userName));
      show(
        text("start.title"),
        h("p", { class: "lead" }, ...textWith("token.signedInAs", { name })),
        wayTo("account/", text("start.account")),
      );
      return;
    }
  } catch (error) {
    // Without a session, or while the service is not available: the next page shows the error.
    console.debug("nobody is signed in", error);
  }
  show(
    text("start.title"),
    h("p", { class: "lead" }, text("start.introduction")),
    wayTo("signin/", text("signIn.title")),
  );
}

function wayTo(href: string, label: string): HTMLElement {
  return h("div", { class: "actions" }, h("a", { class: "primary", href }, label));
}

if (!isRedirected()) {
  onNews(() => location.reload());
  void begin().then(start);
}
