/**
 * Maximum time from a signal to the end of a run, in real milliseconds. A runner sends SIGTERM 7.5 s after SIGINT.
 * The action's own limits are below 3 s, and unit tests with a fake clock prove them. The rest is a margin for a
 * busy machine.
 */
export const GONE_AFTER = 6_000;
