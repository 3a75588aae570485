/** What Git takes as the name of a branch or tag; a SHA is one, too. */
const REF = /^(?![-./])(?!.*(?:\.\.|\/[./]|@\{|\.$|\/$|\.lock$))[^\s~^:?*[\\\p{Cc}]{1,250}$/u;

/** Whether a text can be the name of a branch or tag, or a SHA. */
export function isGitRef(text: string): boolean {
  return REF.test(text);
}
