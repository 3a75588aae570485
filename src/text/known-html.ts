/**
 * The raw HTML of which it is certain what GitHub makes: comments and a few tags, with no attributes but those of
 * images. The groups: an image, what folds text up or names that, any other HTML or a formula.
 */
const HTML = new RegExp(
  [
    "<!--(?!-?>)-?(?:(?!--)[\\s\\S])*--+>|</?(?:b|i|kbd|sub|sup)>|<br ?/?>",
    '(<img(?: (?:src|alt|width|height)="[^"<>\\n]*")+ ?/?>)',
    "(</?(?:details|summary)>)",
    "(<[a-z/!?][^>]{0,60}>?|\\$\\$)",
  ].join("|"),
  "gi",
);

/** Follows the raw HTML of a Markdown page from its beginning, to know whether readers see the text after it. */
export class KnownHtml {
  /** The first of which it is not certain what a reader sees of it; null so far. */
  unknown: string | null = null;
  #details = 0;

  /** Whether text that comes next is folded up. */
  get isFolded(): boolean {
    return this.#details > 0;
  }

  /**
   * Takes the next piece of a page that is or may be raw HTML.
   *
   * @param canFold whether it stands where every parser sees the end of what is folded up
   * @param canDescribe whether an image may have a description, which is not seen
   */
  read(text: string, { canFold, canDescribe }: { canFold: boolean; canDescribe: boolean }): void {
    for (const [tag, image, fold, other] of text.matchAll(HTML)) {
      const isUncertain = (image !== undefined && !canDescribe) || (fold !== undefined && !canFold);
      if (other !== undefined || isUncertain) this.unknown ??= tag;
      if (/^<details>/i.test(tag)) this.#details += 1;
      if (/^<\/details>/i.test(tag)) this.#details = Math.max(0, this.#details - 1);
    }
  }
}
