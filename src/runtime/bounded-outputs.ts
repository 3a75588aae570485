import { cutToBytes } from "../text/markdown.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Log } from "./log.ts";
import type { StepOutputs } from "./step-outputs.ts";

/** Largest output, in bytes of UTF-8: GitHub takes 1 MB for each job, counted in two bytes a character. */
const MAX_OUTPUT = 512 * 1024;

/**
 * Step outputs without secrets, of which none is larger than 512 KiB. Of one that would be, the end is left
 * out, with a warning: of a JSON array as many items as need be, so that it stays one.
 */
export function boundedOutputs(
  outputs: StepOutputs,
  { secrets, log }: { secrets: Secrets; log: Log },
): StepOutputs {
  return {
    setOutput(name, value) {
      const whole = secrets.redact(value);
      const shown = bounded(whole);
      if (shown !== whole) {
        log.warning(`The output ${name} is larger than 512 KiB and was truncated.`);
      }
      outputs.setOutput(name, shown);
    },
    saveState: (state) => outputs.saveState(secrets.redactValue(state)),
    writeSummary: (markdown) => outputs.writeSummary(secrets.redact(markdown)),
  };
}

/** As many of the items, from the first, as fit into one output as a JSON array. */
export function fitting<T>(items: readonly T[]): T[] {
  let bytes = 1;
  const index = items.findIndex((item) => {
    // A value that JSON has no word for stands as null in an array.
    bytes += Buffer.byteLength(JSON.stringify(item) ?? "null") + 1;
    return bytes > MAX_OUTPUT;
  });
  return index === -1 ? [...items] : items.slice(0, index);
}

function bounded(value: string): string {
  if (Buffer.byteLength(value) <= MAX_OUTPUT) return value;
  const items = parseArray(value);
  return items === null
    ? `${cutToBytes(value, MAX_OUTPUT - Buffer.byteLength(SIGN))}${SIGN}`
    : JSON.stringify(fitting(items));
}

/** Shows that a text was cut. */
const SIGN = "…";

function parseArray(text: string): unknown[] | null {
  if (!text.startsWith("[")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
