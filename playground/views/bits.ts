/** Small things that several pages show. */

import { MISTAKES } from "../site/mistakes.ts";
import { PEOPLE } from "../site/people.ts";
import { type Html, html } from "./html.ts";

/** How good or bad a state is; the style sheet has a colour for each. */
export type Tone = "good" | "bad" | "busy" | "idle" | "merged";

/** A state in a word, with a colour. */
export function pill(tone: Tone, word: string): Html {
  return html`<span class="pill ${tone}">${word}</span>`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** A moment on GitHub's clock. */
export function time(at: Date | string): Html {
  const moment = new Date(at);
  return html`<time datetime="${moment.toISOString()}">${CLOCK.format(moment)}</time>`;
}

/** A title as GitHub shows it, with code between backticks. */
export function titled(title: string): Html {
  const pieces = title.split(/`([^`]+)`/);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`))}`;
}

/** A title for screen readers. */
export function plain(title: string): string {
  return title.replaceAll("`", "");
}

/** A link to an issue, pull request or run, with its title first. */
export function reference(href: string, title: string, number: number): Html {
  return html`<a href="${href}">${titled(title)}</a> <span class="number">· #${number}</span>`;
}

export function tags(names: readonly string[]): Html {
  return html`${names.map((name) => html` <span class="tag">${name}</span>`)}`;
}

const EMOJI: Record<string, string> = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  hooray: "🎉",
  confused: "😕",
  heart: "❤️",
  rocket: "🚀",
  eyes: "👀",
};

/** How many reacted with each name, such as `eyes`. */
export function reactionCounts(reactions: Record<string, number>): Html {
  const counts = Object.entries(reactions).map(
    ([name, count]) =>
      html`<span class="tag" role="img" aria-label="${count} ${name}">${EMOJI[name] ?? name} ${count}</span> `,
  );
  return html`${counts}`;
}

export function box(title: string, content: Html): Html {
  return html`<section class="box"><header><h2>${title}</h2></header>${content}</section>`;
}

/** Place for the error of a form, which the page's script fills. */
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

/** A choice of one. @param options texts by their values */
export function choice(label: string, name: string, options: Record<string, string>, chosen = "") {
  const all = Object.entries(options).map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
  return html`<label>${label} <select name="${name}">${all}</select></label>`;
}

/** The person who sends a form. */
export function personField(label: string, chosen: string): Html {
  const people = Object.entries(PEOPLE).map(([login, may]) => [login, `${login} (${may})`]);
  return choice(label, "login", Object.fromEntries(people), chosen);
}

const PASSING = { 1: "a minute", 60: "an hour", 10080: "a week" };

/** Actions whose requests the service can break off, so that a person has to decide. */
const DECIDING = ["upkeep", "queue"];

/** The mistakes in the set-up that a run of doctor can find. */
/** The buttons of a form, by the value that each gives its field. The last one is the primary one. */
export function buttonsOf(name: string, labels: Readonly<Record<string, string>>): Html {
  const entries = Object.entries(labels);
  const last = entries.at(-1)?.[0];
  const buttons = entries.map(([value, label], nth) => {
    const primary = value === last && html` class="primary"`;
    return html`${nth > 0 && " "}<button${primary} name="${name}" value="${value}">${label}</button>`;
  });
  return html`${buttons}`;
}

function mistakesField(): Html {
  const boxes = Object.entries(MISTAKES).map(
    ([name, { label }]) =>
      html`<label><input type="checkbox" name="mistake" value="${name}"> ${label}</label>`,
  );
  const legend = html`<legend>Mistakes to make in the set-up. They are corrected after the run:</legend>`;
  return html`<fieldset class="choices">${legend}${boxes}</fieldset>`;
}

/** A form that runs an action's workflow, some time later. */
export function runForm(repository: string, action: string): Html {
  const broken = html`<label><input type="checkbox" name="broken"> The service breaks off, so that you have to decide</label>`;
  return html`<form class="row" method="post" action="/${repository}/${action}" aria-label="Run ${action}">
<div class="row">${choice("Let time pass first:", "minutes", PASSING)}${DECIDING.includes(action) && broken}</div>
${action === "doctor" && mistakesField()}
<button class="primary">Run ${action}</button>
${FORM_ERROR}
</form>`;
}
