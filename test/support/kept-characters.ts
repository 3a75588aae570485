/** Invisible characters that writing needs: joiners, and marks of form, right after what they are of. */

const AFTER = String.raw`[\p{Letter}\p{Mark}\p{Emoji}\p{Extended_Pictographic}\p{Script=Han}\u2200-\u22FF\u2A00-\u2AFF]`;
const MARK = String.raw`[\u180B-\u180F\u200C\u200D\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`;
/** Of the flags of a country's parts. */
const TAGS = String.raw`[\u{E0020}-\u{E007F}]{2,6}`;
const KEPT = new RegExp(`(${AFTER})(?:${MARK}|${TAGS})+`, "gu");

/** A text without what writing needs, so that nothing invisible may be left. */
export function withoutKept(text: string): string {
  return text.replace(KEPT, "$1");
}
