/** What a run asks of the service. */
export type JobTask =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new job, should that one not take it. */
  | { type: "continue"; jobId: string; prompt: string }
  /**
   * No request: the job is there, and is waited for. `followUpAt` is when an earlier attempt sent it a
   * follow-up, in milliseconds on the clock, if its end may still be the one from before.
   */
  | { type: "take-up"; jobId: string; followUpAt?: number };
