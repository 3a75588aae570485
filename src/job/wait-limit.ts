import { duration } from "../text/markdown.ts";

/** The time limit as sentences name it. @param timeout in milliseconds */
export function waitLimit(timeout: number): string {
  return `${duration(timeout)}, the limit that \`timeout-minutes\` sets`;
}
