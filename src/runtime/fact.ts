/** What is known of something that was read. Plain data, without secrets. */

/** Its value; that there is no such thing; or neither, which is no answer at all. */
export type Fact<T> = Known<T> | Absent | Unread;

export interface Known<T> {
  readonly type: "known";
  readonly value: T;
}

export interface Absent {
  readonly type: "absent";
}

/** It is not known: neither yes nor no. */
export interface Unread {
  readonly type: "unread";
  /**
   * `unanswered`: nobody answered, or with a failure of their own. `limited`: no more requests are answered for now.
   * `refused`: the answer is no. `incomplete`: a list was not read to its end. `pending`: it is still being worked out.
   * `unusable`: the answer could not be understood.
   */
  readonly cause: "unanswered" | "limited" | "refused" | "incomplete" | "pending" | "unusable";
  /** The end of a sentence. */
  readonly reason: string;
  /** Whether it may be known later. */
  readonly isPassing: boolean;
  /** Of the answer; null if there was none, or if it has none of its own. */
  readonly status: number | null;
}

/** A fact about what is always there, such as a list that may be empty. */
export type Read<T> = Known<T> | Unread;

export const ABSENT: Absent = { type: "absent" };

export function known<T>(value: T): Known<T> {
  return { type: "known", value };
}

/** Why there is no value: the end of a sentence. */
export function whyUnknown(fact: Absent | Unread): string {
  return fact.type === "unread" ? fact.reason : "it was not found";
}

/** What follows from a fact. */
export function mapFact<T, R>(fact: Fact<T>, map: (value: T) => R): Fact<R> {
  return fact.type === "known" ? known(map(fact.value)) : fact;
}

export function valueOrNull<T>(fact: Fact<T> | null): T | null {
  return fact?.type === "known" ? fact.value : null;
}
