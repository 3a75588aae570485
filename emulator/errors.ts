/** A refusal by the service: becomes `{error: message}` with this status. */
export class ServiceError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "ServiceError";
    this.status = status;
    this.headers = headers;
  }
}
