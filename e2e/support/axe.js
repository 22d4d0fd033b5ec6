import { readFile } from "node:fs/promises";

const axe = await readFile("node_modules/axe-core/axe.min.js", "utf8");
const OPTIONS = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
};

/** Adds axe to a page, by the debugger, to which the page's policy does not apply. */
export function addAxe(page) {
  return page.evaluate(axe);
}

/** The violations that axe finds: https://dequeuniversity.com/rules/axe/ */
export function violations(page) {
  return page.evaluate(async (options) => {
    const found = await window.axe.run(options);
    // The rest of the result stays in the page: its transfer takes longer than the run.
    return found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`)]);
  }, OPTIONS);
}
