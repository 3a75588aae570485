/** HTML in template literals. Values become text, unless their type is `Html`. */

/** Markup that is safe to show. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | string | number | false | undefined | readonly Value[];

/** Markup with values in it; `false` and `undefined` are left out, lists are joined. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(
    strings.reduce((result, part, index) => result + markupOf(values[index - 1]) + part),
  );
}

function markupOf(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(markupOf).join("");
  return String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A part of a page that is replaced on its own when it changes. */
export interface Part {
  /** Unique in its page. */
  key: string;
  /** For screen readers; undefined if its changes are not announced. */
  label?: string;
  content: Html;
}

/** A part as an element, in the page and in its updates. */
export function element({ key, label, content }: Part): Html {
  const announced = label !== undefined && html` data-label="${label}"`;
  return html`<div id="part-${key}"${announced}>${content}</div>`;
}
