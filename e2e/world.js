/** What `conftest.py` has set up; `cases.js` says what `world` is. */
export const { webUrl, grpcUrl, observerUrl, pagePort, foreignPort, ...given } = JSON.parse(
  process.env.KEYSTEAD_E2E,
);

export const CASE_MILLISECONDS = 20_000;

export const world = {
  ...given,
  logged: (requestId) => ask(`/logged/${requestId}`),
  waiting: (calls) => ask(`/waiting/${calls}`),
};

async function ask(path) {
  return (await fetch(observerUrl + path)).json();
}
