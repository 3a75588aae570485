/** A refusal of a request. Each emulator formats the message in its own way. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Further fields of the answer's body. */
  readonly details: object;

  constructor(
    status: number,
    message: string,
    headers: Record<string, string> = {},
    details: object = {},
  ) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
    this.details = details;
  }
}
