/** GitHub's API as the trial uses it: what was answered, and no more. */

/** Where the trial takes place. */
export interface Place {
  apiUrl: string;
  serverUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
}

export interface Answered<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** The body of a refusal. */
export interface Refusal {
  message?: string;
  errors?: readonly (string | { message?: string })[];
}

export class GitHubApi {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  /**
   * Sends one request, which is never repeated.
   *
   * @param route `POST /issues`, below the repository
   */
  call<Body>(route: string, fields?: object, accept?: string): Promise<Answered<Body>> {
    const [method = "", path = ""] = route.split(" ");
    return this.#send(method, `/repos/${this.place.repository}${path}`, fields, accept);
  }

  /** @throws Error if GitHub refuses it: without it, the trial cannot go on */
  async need<Body>(route: string, fields?: object): Promise<Body> {
    const { status, body } = await this.call<Body & Refusal>(route, fields);
    if (status < 300) return body;
    throw new Error(`${route} was answered ${inWords(status, body)}`);
  }

  async graphql<Data>(query: string, variables: object): Promise<Answered<GraphQL<Data>>> {
    return await this.#send("POST", "/graphql", { query, variables });
  }

  async #send<Body>(
    method: string,
    path: string,
    fields: object | undefined,
    accept = "application/vnd.github+json",
  ): Promise<Answered<Body>> {
    const response = await fetch(`${this.place.apiUrl}${path}`, {
      method,
      headers: {
        accept,
        authorization: `Bearer ${this.place.token}`,
        "content-type": "application/json",
        "x-github-api-version": "2022-11-28",
      },
      ...(fields && { body: JSON.stringify(fields) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const body = isJson ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body };
  }
}

export interface GraphQL<Data> {
  data: Data | null;
  errors?: readonly { message: string; type?: string }[];
}

/** An answer in a few words: its status and, if it is a refusal, the reason. */
export function inWords(status: number, body: unknown): string {
  if (status < 400) return String(status);
  const { message = "", errors = [] } = (body ?? {}) as Refusal;
  const reasons = errors.map((error) => (typeof error === "string" ? error : error.message));
  return [status, message, ...reasons.filter((reason) => reason !== undefined)].join(" ").trim();
}
