/** GitHub and the service on loopback, as one server. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import {
  answer,
  GITHUB,
  type MemoryRequest,
  type MemoryServers,
  SERVICE,
  type WholeAnswer,
} from "../../emulator/local-world/memory-servers.ts";

/** Requests that have arrived. */
export interface Seen {
  /** Time of the first one, by the clock of `performance`. */
  firstAt: number | undefined;
  /** `METHOD /path?query` */
  toGitHub: string[];
  toService: string[];
  /** All of them, as they were sent. */
  sent: { url: string; method: string; headers: object; body: string }[];
  /** Maximum number of requests to the service at the same moment. */
  mostAtATime: number;
}

function nothingSeen(): Seen {
  return { firstAt: undefined, toGitHub: [], toService: [], sent: [], mostAtATime: 0 };
}

export interface BenchServer extends Disposable {
  address: string;
  /** Requests since `begin`. */
  seen: Seen;
  begin(): void;
}

/** @param think milliseconds that the service takes for an answer */
async function serve(
  perform: (request: MemoryRequest) => WholeAnswer,
  think = 0,
): Promise<BenchServer> {
  let now = 0;
  const server = createServer(async (request, response) => {
    const { seen, address } = bench;
    const { method = "GET", url: path = "/", headers } = request;
    const isService = /^\/(v1|v2|discovery)\//.test(path);
    seen.firstAt ??= performance.now();
    (isService ? seen.toService : seen.toGitHub).push(`${method} ${path}`);
    now += isService ? 1 : 0;
    seen.mostAtATime = Math.max(seen.mostAtATime, now);
    const body = (await request.setEncoding("utf8").toArray()).join("");
    seen.sent.push({ url: `${address}${path}`, method, headers, body });
    if (think > 0 && isService) await setTimeout(think);
    const url = new URL(path, isService ? SERVICE : GITHUB);
    const { authorization, accept } = headers;
    const reply = perform({ method, url, headers: { authorization, accept }, body });
    now -= isService ? 1 : 0;
    response.writeHead(reply.status, reply.headers).end(reply.text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const bench: BenchServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: nothingSeen(),
    begin: () => {
      bench.seen = nothingSeen();
    },
    [Symbol.dispose]: () => void server.close(),
  };
  return bench;
}

/** GitHub and the service in memory. Each request advances their clock. */
export function serveMemory(servers: MemoryServers, think = 0): Promise<BenchServer> {
  return serve((request) => {
    servers.now += 1;
    return servers.perform(request);
  }, think);
}

const PR_LINK = "https://github.com/acme/docs/pull/7";

/** A data stream of the assistant, in version 1 of its interface. */
const STREAM = [
  'f:{"messageId":"m1"}',
  ...Array.from({ length: 40 }, (_, word) => `0:${JSON.stringify(`word ${word} `)}`),
  'd:{"finishReason":"stop","type":"finish","threadId":"t1"}\n',
].join("\n");

const SESSIONS = Array.from({ length: 20 }, (_, index) => ({
  sessionId: `s${index}`,
  haulted: true,
  haultReason: "completed",
  pullRequestLink: PR_LINK,
  createdAt: "2026-01-01T00:00:00.000Z",
}));

/** Answers all requests alike, without a state. A job or a build has ended when it is polled first. */
export function serveAtOnce(): Promise<BenchServer> {
  return serve(({ method, url: { pathname, search } }) => {
    if (pathname.startsWith("/discovery/")) {
      return { status: 200, headers: { "content-type": "text/plain" }, text: STREAM };
    }
    const isNew = method === "POST";
    const job = isNew ? { status: "active" } : { status: "completed", prLink: PR_LINK };
    const comment = { html_url: "https://github.com/acme/docs/issues/1#issuecomment-1" };
    const allSessions = search.includes("skip=0") ? SESSIONS : [];
    const isJob = pathname.startsWith("/v2/");
    const build = { statusId: "build_1", status: "success" };
    const body = isJob ? { id: "job_1", ...job } : { id: 1, ...comment, allSessions, ...build };
    return answer({ status: isNew ? 201 : 200, body });
  });
}
