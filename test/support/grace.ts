/**
 * How soon a run has to be gone after a signal, in real milliseconds: a runner sends SIGTERM 7.5 s after SIGINT.
 * The action's own limits are below 3 s and are proven with a clock that tests move; the rest is left to a
 * busy machine.
 */
export const GONE_AFTER = 6_000;
