/** Behaviour of the service that its documents leave open or describe in two ways. All off by default. */
export const NO_QUIRKS = {
  /** The answer to a follow-up has no `status`, as in the document's sample. */
  messageWithoutStatus: false,
  /** Version 1 streams `text/event-stream` instead of `text/plain`. */
  eventStream: false,
  /** Version 1 creates a job without telling its id in a header. */
  noSessionHeader: false,
  /** Version 1 answers a create request with the session as JSON: no stream, and the id in no header. */
  jsonCreate: false,
  /** The list of jobs ignores `skip` and `take`, and returns all of them. */
  unpagedList: false,
  /** The list of jobs holds only those that version 1 started. */
  listWithoutVersion2: false,
  /** Sessions that are running carry no `haultReason`, instead of `processing`. */
  noReasonWhileRunning: false,
  /** An archived job takes no follow-up. */
  archivedIsClosed: false,
};

export type Quirks = Record<keyof typeof NO_QUIRKS, boolean>;
