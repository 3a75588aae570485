/** A request as it goes out, with its limits. */
export interface Outgoing {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Milliseconds until the answer's status and headers must be there. */
  headerLimit: number;
  /** Milliseconds from the headers until the body must be there as a whole. */
  bodyLimit: number;
  /** In place of `bodyLimit`, for the body of a successful answer: one that comes as things happen. */
  streamLimit?: number;
  /** Milliseconds that may pass between two pieces of the body. Default: as long as the whole may take. */
  idleLimit?: number;
  signal?: AbortSignal | undefined;
}

/** A whole answer. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** An answer whose body is still to come. */
export interface OpenAnswer {
  status: number;
  headers: Record<string, string>;
  /** The body as it arrives. Throws `ExchangeError` with stage `answer` when it breaks off. */
  body: AsyncIterable<Uint8Array>;
}
