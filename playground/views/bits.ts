/** Small things that several pages show. */

import { PEOPLE } from "../site/people.ts";
import { type Html, html } from "./html.ts";

/** How good or bad a state is; `style.css` has a colour for each. */
export type Tone = "good" | "bad" | "busy" | "idle" | "merged";

/** A state in a word, with a colour. */
export function pill(tone: Tone, word: string): Html {
  return html`<span class="pill ${tone}">${word}</span>`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** A moment of today. */
export function time(at: Date | string): Html {
  const moment = new Date(at);
  return html`<time datetime="${moment.toISOString()}">${CLOCK.format(moment)}</time>`;
}

export function tags(names: readonly string[]): Html {
  return html`${names.map((name) => html` <span class="tag">${name}</span>`)}`;
}

export function box(title: string, content: Html): Html {
  return html`<section class="box"><header><h2>${title}</h2></header>${content}</section>`;
}

/** What went wrong with a form; the browser fills it. */
export const FORM_ERROR = html`<p class="error" role="alert" hidden></p>`;

/** A form in a box, with its buttons at the end. */
export function formBox(title: string | Html, action: string, fields: Html, buttons: Html): Html {
  return html`<form class="box" method="post" action="${action}"><header><h2>${title}</h2></header>
<div class="body">
${fields}
${FORM_ERROR}
<div class="row end">${buttons}</div>
</div></form>`;
}

/** Who does what a form does. */
export function personField(label: string, chosen: string): Html {
  const people = Object.entries(PEOPLE).map(
    ([login, may]) =>
      html`<option value="${login}"${login === chosen && html` selected`}>${login} (${may})</option>`,
  );
  return html`<label>${label} <select name="login">${people}</select></label>`;
}
