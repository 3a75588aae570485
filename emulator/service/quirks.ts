/** Behaviour of the service that its documents leave open or describe in two ways. All off by default. */
export interface Quirks {
  /** The answer to a follow-up has no `status`, as in the document's sample. */
  messageWithoutStatus: boolean;
  /** Version 1 streams `text/event-stream` instead of `text/plain`. */
  eventStream: boolean;
  /** Version 1 creates a job without telling its id in a header. */
  noSessionHeader: boolean;
  /** Version 1 answers a create request with the session as JSON: no stream, and the id in no header. */
  jsonCreate: boolean;
  /** The list of jobs ignores `skip` and `take`, and returns all of them. */
  unpagedList: boolean;
  /** The list of jobs holds only those that version 1 started. */
  listWithoutVersion2: boolean;
  /** Sessions that are running carry no `haultReason`, instead of `processing`. */
  noReasonWhileRunning: boolean;
  /** An archived job takes no follow-up. */
  archivedIsClosed: boolean;
}

export const NO_QUIRKS: Quirks = {
  messageWithoutStatus: false,
  eventStream: false,
  noSessionHeader: false,
  jsonCreate: false,
  unpagedList: false,
  listWithoutVersion2: false,
  noReasonWhileRunning: false,
  archivedIsClosed: false,
};
