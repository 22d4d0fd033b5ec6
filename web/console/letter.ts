/** The HTML part of a mail, with its own styles and without those of the page. */

import { html, render, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";

const STYLES = /<style>(.*?)<\/style>/gs;

/** The element `<keystead-letter>`; set `content`. Scripts in it do not run, and its links lead nowhere. */
class Letter extends HTMLElement {
  set content(text: string) {
    // The policy of the page forbids style elements, but not the style sheets of scripts.
    const sheets = [...text.matchAll(STYLES)].map(([, rules = ""]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      return sheet;
    });
    const body = document.createElement("body");
    render(html`${unsafeHTML(text.replace(STYLES, ""))}`, body);
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = sheets;
    root.replaceChildren(body);
    this.inert = true;
  }
}

customElements.define("keystead-letter", Letter);

export function letter(content: string): TemplateResult {
  return html`<keystead-letter .content=${content}></keystead-letter>`;
}
