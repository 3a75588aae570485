import { hangBeforeHeaders, resetAfterRequest, text } from "../../support/answers.ts";
import {
  connection,
  done,
  type Fault,
  instead,
  page,
  type Refusal,
  redirected,
  status,
} from "./fault.ts";

/** Time limits of 15 and 30 seconds show in 1.5 and 3; a second of a busy machine is no more than ten. */
const FAST = 10;

/** A request at the very end of its time is given two seconds, which must be enough on a busy machine. */
const FASTER = 4;

const seconds = (from: number) => new Date(Date.now() + from * 1000).toUTCString();

/** Every form of `Retry-After`: what it says, and what it asks for. */
const RETRY_AFTER: Refusal[] = [
  { name: "without Retry-After", retryAfter: "", fastClock: FASTER },
  { name: "Retry-After: 2", retryAfter: " soon", header: () => "2", fastClock: FASTER },
  { name: "Retry-After: a date", retryAfter: " soon", header: () => seconds(2) },
  { name: "Retry-After: 0", retryAfter: " soon", header: () => "0", fastClock: FASTER },
  { name: "Retry-After: -5", retryAfter: "", header: () => "-5", fastClock: FASTER },
  { name: "Retry-After: 1e9 seconds", retryAfter: " beyond", header: () => "1000000000" },
  { name: "Retry-After: text", retryAfter: "", header: () => "soon", fastClock: FASTER },
  { name: "Retry-After: a past date", retryAfter: " soon", header: () => seconds(-1e6) },
  { name: "Retry-After: a far date", retryAfter: " beyond", header: () => seconds(1e9) },
];

/** Everything that can happen to a request. */
export const FAULTS: readonly Fault[] = [
  {
    name: "refused",
    kind: "unreached",
    fastClock: 1,
    way: { type: "refuse" },
  },
  connection("reset before it is read", "reset early", "reset"),
  connection("TLS that breaks", "unreached", "garble", { tls: true }),
  connection("TLS by an impostor", "unreached", "impostor", { tls: true }),
  done("reset after it is read", "lost", (_, exchange) => resetAfterRequest(exchange)),
  done("closed after it is read", "lost", (_, { socket }) => void socket.end()),
  done("slow headers", "lost", (_, exchange) => hangBeforeHeaders(exchange), { fastClock: FAST }),
  done(
    "slow body",
    "lost",
    ({ status, headers, body }, { response }) => {
      response.writeHead(status, { ...headers, "content-length": body.length });
      response.write(body.subarray(0, 5));
    },
    { fastClock: FAST },
  ),
  done("half a body", "lost", ({ status, headers, body }, { response, socket }) => {
    response.writeHead(status, { ...headers, "content-length": body.length });
    response.write(body.subarray(0, body.length / 2), () => socket.end());
  }),
  done("wrong length", "unreadable", ({ status, headers, body }, { response }) => {
    response.writeHead(status, { ...headers, "content-length": Math.floor(body.length / 2) });
    response.end(body);
  }),
  done("wrong content type", "good", ({ status, headers, body }, exchange) =>
    text(status, body, { ...headers, "content-type": "text/plain" })(exchange),
  ),
  page("HTML", "<!doctype html><title>Sign in</title>"),
  instead("empty", ""),
  instead("null", "null"),
  instead("array", "[]"),
  done("oversized", "unreadable", async ({ status, headers, body }, { response }, { limit }) => {
    response.writeHead(status, headers);
    response.write(body);
    response.end(Buffer.alloc(limit + 1, " "));
  }),
  ...[301, 302, 307].map(redirected),
  ...[400, 401, 403, 404, 408, 409, 410, 422, 425].map((code) =>
    // A job that is busy is asked again after seconds.
    status(code, code === 409 ? { fastClock: FAST } : {}),
  ),
  ...RETRY_AFTER.map((how) => status(429, { ...how, name: `429 ${how.name}` })),
  status(500),
  status(502),
  status(502, { name: "502 for work that was done", isDone: true }),
  status(503),
  status(503, { name: "503 Retry-After: 1", retryAfter: " soon", header: () => "1" }),
  status(504),
  status(504, { name: "504 for work that was done", isDone: true }),
];
