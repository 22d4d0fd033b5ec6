/** The page `/passkeys/`: registration by a link, or the passkeys of the user of a token. */

import { showIncompleteLink, showReloaded, startByLink } from "./by_link";
import { showSignIn } from "./by_token";
import { isRedirected } from "../shared/address";
import { begin } from "../shared/page";
import { readLink } from "./link";

let current = new AbortController();

function start(): void {
  const opening = readLink();
  current.abort();
  current = new AbortController();
  const { signal } = current;
  if (opening === "no link") showSignIn(signal);
  else if (opening === "reloaded link") showReloaded(() => showSignIn(signal));
  else if (opening === "incomplete link") showIncompleteLink();
  else void startByLink(opening, signal);
}

async function open(): Promise<void> {
  await begin();
  // Opening another link in a tab that shows this page does not load the page again.
  addEventListener("hashchange", start);
  start();
}

if (!isRedirected()) void open();
