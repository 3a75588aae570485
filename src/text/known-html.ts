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
   * @param isFoldable whether every parser sees here where what is folded up begins and ends
   * @param isHeard whether it belongs to a request, which has no part that is not seen: text that is folded up, or
   *   the description of an image
   */
  read(
    text: string,
    { isFoldable = false, isHeard }: { isFoldable: boolean | undefined; isHeard: boolean },
  ): void {
    for (const [tag, image, fold, other] of text.matchAll(HTML)) {
      const isUnseen = isHeard && (image ?? fold) !== undefined;
      const isUncertain = other !== undefined || (fold !== undefined && !isFoldable);
      if (isUncertain || isUnseen) this.unknown ??= tag;
      if (/^<details>/i.test(tag)) this.#details += 1;
      if (/^<\/details>/i.test(tag)) this.#details = Math.max(0, this.#details - 1);
    }
  }
}
