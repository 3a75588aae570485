/** What the service charges, as publicly listed in August 2026. Its API does not report what was used. */

/** Average credits of an agent run, and of an update from code changes. A job or follow-up may be either. */
export const CREDITS_PER_USE = [115, 180] as const;
