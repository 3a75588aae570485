import { hash } from "node:crypto";
import { dayOf, type EncodedKeys } from "./record.ts";

/** `owner/name#12` */
const NUMBERED = /^(.*)#([1-9]\d{0,9})$/s;
/** 42 bits: of 5,000 keys two are taken for each other with a probability of three in a million. */
const PRINT = /.{7}/gs;
const PRINT_LENGTH = 7;

/** How many keys a checkpoint remembers. */
export interface KeyLimits {
  /** Pull requests, of all repositories together. */
  numbers: number;
  /** Commits or tasks. */
  prints: number;
}

/**
 * The keys of all changes that are done, in little room: pull requests by their number, everything else
 * by a hash. Beyond its limits it forgets the lowest numbers and the hashes that came first.
 */
export class KnownKeys {
  readonly #numbers = new Map<string, Set<number>>();
  /** From hash to day of landing, in the order of their coming. */
  readonly #prints = new Map<string, number>();
  readonly #forgottenNumbers = new Map<string, number>();
  #forgottenDay: number | null = null;

  /** How many keys are remembered by a hash. */
  get prints(): number {
    return this.#prints.size;
  }

  has(key: string): boolean {
    const numbered = parseNumbered(key);
    return numbered === null
      ? this.#prints.size > 0 && this.#prints.has(printOf(key))
      : (this.#numbers.get(numbered.prefix)?.has(numbered.number) ?? false);
  }

  /** Whether a key that is not known may have been forgotten. */
  mayHaveForgotten(key: string, landedAt: number): boolean {
    const numbered = parseNumbered(key);
    return numbered === null
      ? this.#forgottenDay !== null && dayOf(landedAt) <= this.#forgottenDay
      : numbered.number <= (this.#forgottenNumbers.get(numbered.prefix) ?? 0);
  }

  add(key: string, landedAt: number): void {
    const numbered = parseNumbered(key);
    if (numbered === null) this.#prints.set(printOf(key), dayOf(landedAt));
    else this.#addNumber(numbered.prefix, numbered.number);
  }

  /** Adds what a checkpoint remembers, and what it says was forgotten. */
  addEncoded(encoded: EncodedKeys): void {
    for (const [prefix, text] of Object.entries(encoded.numbers)) {
      let number = 0;
      for (const gap of text === "" ? [] : text.split(" ")) {
        number += Number.parseInt(gap, 36);
        this.#addNumber(prefix, number);
      }
    }
    const days = decodeDays(encoded.days);
    for (const print of encoded.prints.match(PRINT) ?? []) {
      this.#prints.set(print, days.next().value ?? 0);
    }
    for (const [prefix, number] of Object.entries(encoded.forgottenNumbers)) {
      this.#forgetUpTo(prefix, number);
    }
    if (encoded.forgottenDay !== null) this.#forgetDay(encoded.forgottenDay);
  }

  /** What a checkpoint keeps, within limits. */
  encode(limits: KeyLimits): EncodedKeys {
    const kept = new KnownKeys();
    for (const [prefix, number] of this.#forgottenNumbers) kept.#forgetUpTo(prefix, number);
    if (this.#forgottenDay !== null) kept.#forgetDay(this.#forgottenDay);
    const prints = [...this.#prints];
    const surplus = Math.max(0, prints.length - limits.prints);
    for (const [, day] of prints.slice(0, surplus)) kept.#forgetDay(day);
    const left = prints.slice(surplus);
    const numbers = [...this.#newestNumbers(limits.numbers, kept)].map(([prefix, sorted]) => {
      const gaps = sorted.map((number, index) => number - (sorted[index - 1] ?? 0));
      return [prefix, gaps.map((gap) => gap.toString(36)).join(" ")];
    });
    return {
      numbers: Object.fromEntries(numbers),
      prints: left.map(([print]) => print).join(""),
      days: encodeDays(left.map(([, day]) => day)),
      forgottenNumbers: Object.fromEntries(kept.#forgottenNumbers),
      forgottenDay: kept.#forgottenDay,
    };
  }

  /** The numbers to keep, in order; each repository has an equal share of the room. */
  *#newestNumbers(limit: number, kept: KnownKeys): Generator<[string, number[]]> {
    const share = Math.floor(limit / Math.max(1, this.#numbers.size));
    for (const [prefix, numbers] of this.#numbers) {
      const sorted = [...numbers].sort((a, b) => a - b);
      const surplus = Math.max(0, sorted.length - share);
      const forgotten = sorted[surplus - 1];
      if (forgotten !== undefined) kept.#forgetUpTo(prefix, forgotten);
      yield [prefix, sorted.slice(surplus)];
    }
  }

  #addNumber(prefix: string, number: number): void {
    const numbers = this.#numbers.get(prefix);
    if (numbers === undefined) this.#numbers.set(prefix, new Set([number]));
    else numbers.add(number);
  }

  #forgetUpTo(prefix: string, number: number): void {
    const known = this.#forgottenNumbers.get(prefix) ?? 0;
    this.#forgottenNumbers.set(prefix, Math.max(known, number));
  }

  #forgetDay(day: number): void {
    this.#forgottenDay = Math.max(this.#forgottenDay ?? 0, day);
  }
}

function encodeDays(days: number[]): string {
  const runs: { day: number; count: number }[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last?.day === day) last.count++;
    else runs.push({ day, count: 1 });
  }
  return runs.map(({ day, count }) => (count === 1 ? `${day}` : `${day}*${count}`)).join(" ");
}

function* decodeDays(text: string): Generator<number, undefined> {
  for (const run of text === "" ? [] : text.split(" ")) {
    const [day, count = 1] = run.split("*").map(Number);
    for (let index = 0; index < count; index++) yield day ?? 0;
  }
  return undefined;
}

function parseNumbered(key: string): { prefix: string; number: number } | null {
  const [, prefix, number] = NUMBERED.exec(key) ?? [];
  return prefix === undefined ? null : { prefix, number: Number(number) };
}

function printOf(key: string): string {
  return hash("sha256", key, "base64url").slice(0, PRINT_LENGTH);
}
