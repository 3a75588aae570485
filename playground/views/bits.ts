/** Small things that several pages show. */

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

/** What went wrong with a form; the browser fills it. */
export const FORM_ERROR = html`<p class="error" role="alert" hidden></p>`;
