import http from "node:http";

export interface Received {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** What is sent. `body: null` sends none. */
interface Sent {
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Idle connections are kept, and keep no process running. */
const agent = new http.Agent({ keepAlive: true });

/**
 * One request over plain HTTP, and its whole answer. `fetch` takes twice as long, and a request of a step
 * leads to several of these.
 *
 * A server may close an idle connection just as a request goes out on it. Nobody has received that request,
 * so it is sent once more: Node's documentation of `request.reusedSocket` says so.
 *
 * @throws when there is no whole answer
 */
export async function exchange(url: string, sent: Sent): Promise<Received> {
  const answer = await begin(url, sent);
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

function begin(url: string, sent: Sent): Promise<http.IncomingMessage> {
  const { method, headers, body } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  let isAnswered = false;
  const request = http.request(url, { agent, method, headers }, (answer) => {
    isAnswered = true;
    resolve(answer);
  });
  request.on("error", (error: NodeJS.ErrnoException) => {
    const isStale = request.reusedSocket && !isAnswered && error.code === "ECONNRESET";
    if (isStale) resolve(begin(url, sent));
    else reject(error);
  });
  request.end(body ?? undefined);
  return promise;
}
