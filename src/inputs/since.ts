/** The input `since`: where the first run begins. */

import { quote } from "../text/sentence.ts";
import { isGitRef } from "./checks.ts";

export type Since =
  | { kind: "default" }
  /** A moment, ISO 8601. */
  | { kind: "time"; at: string }
  /** A commit or tag. */
  | { kind: "ref"; ref: string };

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * @param repositories how many repositories the changes are read from
 * @returns what is wrong, where the text is no beginning
 */
export function parseSince(text: string, repositories: number): Since | { problem: string } {
  const given = text.trim();
  if (given === "") return { kind: "default" };
  if (/^\d{4}-\d\d-\d\d/.test(given) && DATE.test(given)) return parseTime(given);
  if (!isGitRef(given)) {
    return wrong(given, "a date or time (2026-05-01, 2026-05-01T08:00:00Z), a commit or a tag");
  }
  if (repositories > 1) {
    return wrong(
      given,
      "a date or time (2026-05-01, 2026-05-01T08:00:00Z) if there is more than one repository",
    );
  }
  return { kind: "ref", ref: given };
}

/** Without a zone, the time is UTC. */
function parseTime(given: string): Since | { problem: string } {
  const [, year, month, day, time = "00:00", zone = "Z"] = DATE.exec(given) ?? [];
  const offset = /^[Zz]$/.test(zone) ? "Z" : zone.replace(/^([+-]\d\d):?(\d\d)?$/, "$1:$2");
  const full = offset.endsWith(":") ? `${offset}00` : offset;
  const at = new Date(`${year}-${month}-${day}T${time}${full}`);
  const isDay = new Date(`${year}-${month}-${day}T00:00Z`).getUTCDate() === Number(day);
  if (Number.isNaN(at.getTime()) || !isDay) {
    return wrong(given, "a valid date or time, for example 2026-05-01");
  }
  return { kind: "time", at: at.toISOString() };
}

function wrong(given: string, allowed: string): { problem: string } {
  return { problem: `${quote(given)} is not allowed: it must be ${allowed}` };
}
