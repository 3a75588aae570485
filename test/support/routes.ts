/** The routes of a server, and the next answer of each. */
export class Routes<Answer> {
  readonly #entries: { route: string; pattern: RegExp; answers: Answer[]; served: number }[] = [];

  set(route: string, answers: Answer[]): void {
    const known = this.#entries.findIndex((entry) => entry.route === route);
    if (known >= 0) this.#entries.splice(known, 1);
    this.#entries.unshift({ route, pattern: routePattern(route), answers, served: 0 });
  }

  answerTo(target: string): Answer | undefined {
    const entry = this.#entries.find(({ pattern }) => pattern.test(target));
    if (entry === undefined) return undefined;
    const answer = entry.answers[Math.min(entry.served, entry.answers.length - 1)];
    entry.served += 1;
    return answer;
  }
}

interface Target {
  method: string;
  path: string;
}

/** `METHOD /path` of a request, without its query. */
export function targetOf({ method, path }: Target): string {
  return `${method} ${path.split("?")[0]}`;
}

/** A pattern for the requests that match a route, in which `:name` matches one segment. */
export function routePattern(route: string): RegExp {
  const source = route.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:[A-Za-z]+/g, "[^/]+");
  return new RegExp(`^${source}$`);
}

interface Unmatched {
  request: Target;
  response: {
    writeHead(status: number, headers: Record<string, string>): unknown;
    end(text: string): unknown;
  };
}

/** The answer if no route matches. */
export function noRoute({ request, response }: Unmatched): void {
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: `no route for ${request.method} ${request.path}` }));
}
