/** The description of the test servers by `conftest.py`; `cases.js` describes `world`. */
export const { webUrl, grpcUrl, observerUrl, pagePort, foreignPort, ...given } = JSON.parse(
  process.env.KEYSTEAD_E2E,
);

/** The path of a page without a script, where a browser begins. */
export const PLAIN = "/no/where";

// Enough for a busy machine; a case takes a second or two.
export const CASE_MILLISECONDS = 60_000;
export const TIMEOUT = { timeout: CASE_MILLISECONDS };
// For cases of many steps.
export const PATIENT = { timeout: 3 * CASE_MILLISECONDS };

export const world = {
  ...given,
  logged: (requestId) => ask(`/logged/${requestId}`),
  waiting: (calls) => ask(`/waiting/${calls}`),
  mailed: (address, subject) => ask(`/mailed/${address}?subject=${encodeURIComponent(subject)}`),
  signedInAnHourAgo: (userId) => ask(`/signed-in-an-hour-ago/${userId}`),
  renewCertificate: () => ask("/renew-certificate"),
};

/** Asks the observer of `conftest.py`. */
export async function ask(path) {
  return (await fetch(observerUrl + path)).json();
}
