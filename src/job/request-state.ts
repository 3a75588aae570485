/**
 * What became of the request of a run: `accepted` by the service; `refused`, or never sent, so that nothing
 * was started; `uncertain` when it may have been received.
 */
export type RequestState = "accepted" | "refused" | "uncertain";
