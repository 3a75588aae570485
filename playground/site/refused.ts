/** What a person asked for cannot be done; the message says why, and what to do instead. */
export class Refused extends Error {
  /** HTTP status. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refused";
    this.status = status;
  }
}
