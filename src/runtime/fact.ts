/** What is known of something that was asked: a fact that was not read is neither a yes nor a no. */

export type Fact<T> =
  | { readonly type: "known"; readonly value: T }
  | { readonly type: "absent" }
  | Unread;

/** It could not be read. Plain data. */
export interface Unread {
  readonly type: "unread";
  readonly cause: "unanswered" | "limited" | "refused" | "incomplete" | "pending" | "unusable";
  /** The end of a sentence. */
  readonly reason: string;
  /** Whether a later run may read it. */
  readonly isPassing: boolean;
  /** Of GitHub's or the service's answer; null for none. */
  readonly status: number | null;
}
