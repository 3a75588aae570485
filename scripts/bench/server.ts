import { createServer, type IncomingMessage, type Server } from "node:http";

const PR_LINK = "https://github.com/acme/docs/pull/7";

/** A data stream of the assistant, as version 1 of its interface speaks it. */
const STREAM = [
  'f:{"messageId":"m1"}',
  ...Array.from({ length: 40 }, (_, word) => `0:${JSON.stringify(`word ${word} `)}`),
  'd:{"finishReason":"stop","type":"finish","threadId":"t1"}',
  "",
].join("\n");

const SESSIONS = Array.from({ length: 20 }, (_, index) => ({
  sessionId: `s${index}`,
  haulted: true,
  haultReason: "completed",
  pullRequestLink: PR_LINK,
  createdAt: "2026-01-01T00:00:00.000Z",
}));

/** Both services in one, on loopback: every request is answered at once. */
export function startServer(onRequest: () => void): Promise<Server> {
  const server = createServer((request, response) => {
    onRequest();
    request.resume();
    request.on("end", () => {
      const { status, type, body } = answer(request);
      response.writeHead(status, { "content-type": type });
      response.end(body);
    });
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

function answer({ method, url = "" }: IncomingMessage) {
  const status = method === "POST" ? 201 : 200;
  const json = (value: unknown) => ({
    status,
    type: "application/json",
    body: JSON.stringify(value),
  });
  if (url.startsWith("/discovery/")) return { status: 200, type: "text/plain", body: STREAM };
  if (url.startsWith("/v1/")) return json({ allSessions: url.includes("skip=0") ? SESSIONS : [] });
  if (url.startsWith("/v2/")) {
    const isNew = method === "POST";
    const prLink = isNew ? null : PR_LINK;
    return json({ id: "job_1", status: isNew ? "active" : "completed", prLink });
  }
  return json({ id: 1, html_url: "https://github.com/acme/docs/issues/1#issuecomment-1" });
}
