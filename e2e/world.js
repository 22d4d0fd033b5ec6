/** What `conftest.py` has set up; `cases.js` says what `world` is. */
export const { webUrl, grpcUrl, observerUrl, pagePort, foreignPort, ...given } = JSON.parse(
  process.env.KEYSTEAD_E2E,
);

// On a machine that is busy with other tests; a case takes a second or two.
export const CASE_MILLISECONDS = 60_000;

export const world = {
  ...given,
  logged: (requestId) => ask(`/logged/${requestId}`),
  waiting: (calls) => ask(`/waiting/${calls}`),
  mailed: (address, subject) => ask(`/mailed/${address}?subject=${encodeURIComponent(subject)}`),
  signedInAnHourAgo: (userId) => ask(`/signed-in-an-hour-ago/${userId}`),
  renewCertificate: () => ask("/renew-certificate"),
};

async function ask(path) {
  return (await fetch(observerUrl + path)).json();
}
