/** When a schedule was due, by its cron expressions. */

import { DAY, HOUR, MINUTE } from "../runtime/clock.ts";

/** A part of a cron expression: its least and largest number, and names for them. */
interface Part {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const MINUTES: Part = { least: 0, most: 59, names: [] };
const HOURS: Part = { least: 0, most: 23, names: [] };
const DATES: Part = { least: 1, most: 31, names: [] };
const MONTHS: Part = {
  least: 1,
  most: 12,
  names: ["", ..."jan feb mar apr may jun jul aug sep oct nov dec".split(" ")],
};
const WEEKDAYS: Part = { least: 0, most: 6, names: "sun mon tue wed thu fri sat".split(" ") };

/** How far back is looked, in days: some schedules run on the 29th of February. */
const MOST_DAYS = 4 * 366 + 1;

/**
 * The time at which schedules in UTC were due for the `count`th time before a moment; null if they were not due so
 * often, or cannot be read.
 *
 * @param now milliseconds since 1970
 */
export function lastDue(crons: readonly string[], now: number, count: number): number | null {
  const parsed = crons.map(parseCron);
  const read = parsed.filter((cron) => cron !== null);
  if (read.length < parsed.length) return null;
  const due: number[] = [];
  const today = Math.floor(now / DAY) * DAY;
  for (let ago = 0; ago < MOST_DAYS && due.length < count; ago += 1) {
    const times = read.flatMap((cron) => timesOn(cron, today - ago * DAY));
    const past = [...new Set(times)].filter((time) => time <= now);
    due.push(...past.toSorted((a, b) => b - a));
  }
  return due[count - 1] ?? null;
}

function timesOn(
  { minutes, hours, isDay }: NonNullable<ReturnType<typeof parseCron>>,
  day: number,
): number[] {
  if (!isDay(new Date(day))) return [];
  return hours.flatMap((hour) => minutes.map((minute) => day + hour * HOUR + minute * MINUTE));
}

function parseCron(text: string): {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly isDay: (day: Date) => boolean;
} | null {
  const fields = text.trim().split(/\s+/);
  const [minute = "", hour = "", date = "", month = "", weekday = "", ...others] = fields;
  const minutes = numbersIn(minute, MINUTES);
  const hours = numbersIn(hour, HOURS);
  const dates = numbersIn(date, DATES);
  const months = numbersIn(month, MONTHS);
  const weekdays = numbersIn(weekday, WEEKDAYS);
  if (others.length > 0 || minutes === null || hours === null) return null;
  if (dates === null || months === null || weekdays === null) return null;
  const isDay = (day: Date) => {
    const isDate = dates.includes(day.getUTCDate());
    const isWeekday = weekdays.includes(day.getUTCDay());
    // If both are restricted, one of them is enough.
    const isEither = !date.startsWith("*") && !weekday.startsWith("*");
    const isDue = isEither ? isDate || isWeekday : isDate && isWeekday;
    return isDue && months.includes(day.getUTCMonth() + 1);
  };
  return { minutes, hours, isDay };
}

/** The numbers that a field such as `1,5-9/2` names; null if it cannot be read. */
function numbersIn(field: string, part: Part): number[] | null {
  const ranges = field.split(",").map((range) => rangeOf(range, part));
  const read = ranges.filter((range) => range !== null);
  return read.length < ranges.length ? null : read.flat();
}

function rangeOf(text: string, part: Part): number[] | null {
  const [, from = "", to, step = "1"] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(text) ?? [];
  const first = from === "*" ? part.least : numberOf(from, part);
  // `5/15` goes on to the end, as `5-59/15` does.
  const isOpen = from === "*" || (to === undefined && text.includes("/"));
  const last = isOpen ? part.most : numberOf(to ?? from, part);
  const width = Number(step);
  if (first === null || last === null || width === 0) return null;
  const numbers: number[] = [];
  for (let number = first; number <= last; number += width) numbers.push(number);
  return numbers;
}

function numberOf(text: string, { least, most, names }: Part): number | null {
  const named = names.indexOf(text.toLowerCase());
  const number = named > -1 && text !== "" ? named : /^\d+$/.test(text) ? Number(text) : null;
  return number === null || number < least || number > most ? null : number;
}
