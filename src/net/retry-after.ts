/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3): seconds, or an HTTP date.
 *
 * @param value the header as it came, if it came
 * @param now the time of day, in milliseconds since 1970
 * @returns milliseconds to wait, never negative; undefined when there is no header or it says nothing
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // A date starts with the name of a day; Date.parse alone would also take "-5" for one.
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
