/** What the project does about a habit of the real GitHub. */
export type Here =
  /** The emulated GitHub, runner or playground always has it. */
  | { emulated: string }
  /** A scenario can turn it on. */
  | { switch: string }
  /** It touches nothing of the project's. */
  | { notOurs: string };

/** A habit of the real GitHub, in a few words. */
export interface Habit {
  habit: string;
  /** Title of a page of GitHub's documentation, `owner/repo#number` where it was seen, or `believed`. */
  source: string;
  here: Here;
}

/** @param test the title of the test that shows it */
export function emulated(habit: string, source: string, test: string): Habit {
  return { habit, source, here: { emulated: test } };
}

/** @param test the title of the test that shows it */
export function switched(habit: string, source: string, test: string): Habit {
  return { habit, source, here: { switch: test } };
}

/** @param why in a few words */
export function notOurs(habit: string, source: string, why: string): Habit {
  return { habit, source, here: { notOurs: why } };
}

/** The test of answers in place of GitHub's own. */
export const FAULT = "a server error can be a page of HTML, and any answer can be replaced";
