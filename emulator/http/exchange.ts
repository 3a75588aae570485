import http from "node:http";

export interface Received {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Idle connections are kept, and keep no process running. */
const agent = new http.Agent({ keepAlive: true });

/**
 * One request over plain HTTP, and its whole answer. `fetch` takes twice as long, and a request of a step
 * leads to several of these.
 *
 * @param sent `body: null` sends none
 * @throws when there is no whole answer
 */
export async function exchange(
  url: string,
  sent: { method: string; headers: Record<string, string>; body: string | null },
): Promise<Received> {
  const { method, headers, body } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const request = http.request(url, { agent, method, headers }, resolve);
  request.on("error", reject);
  request.end(body ?? undefined);
  const answer = await promise;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(answer.headersDistinct).map(([name, values = []]) => [
        name,
        values.join(", "),
      ]),
    ),
    body: Buffer.concat(chunks),
  };
}
