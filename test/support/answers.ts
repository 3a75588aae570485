/** Answers for a faulty server: correct and broken ones. */

import type http from "node:http";
import type { Answer, AnswerResponse, Exchange } from "./faulty-server.ts";

/** A status with a JSON body. */
export function json(
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return text(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** A status with a text body. Its type is HTML, unless the headers name another. */
export function text(
  status: number,
  body: string | Uint8Array,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return ({ response }) => {
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  };
}

/** Reads the whole request, then resets the connection. For the client, the server may have acted on it. */
export const resetAfterRequest: Answer = ({ socket }) => {
  socket.resetAndDestroy();
};

/** Reads the whole request, then closes the connection without an answer. */
export const closeAfterRequest: Answer = ({ socket }) => {
  socket.end();
};

/** Never answers. */
export const hangBeforeHeaders: Answer = () => {};

/** Sends the headers and the start of the body, then nothing. */
export const hangInBody: Answer = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
  response.write('{"id":"job');
};

/** Announces the length of a whole body, sends half of it, then closes the connection. */
export function halfBody(status: number, body: unknown): Answer {
  return ({ response, socket }) => {
    const whole = Buffer.from(JSON.stringify(body));
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": whole.length,
    });
    response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => socket.end());
  };
}

/** A valid JSON object with an extra field that makes it large, sent in chunks. */
export function largeJson(status: number, body: object, mebibytes: number): Answer {
  return async ({ response }) => {
    response.writeHead(status, { "content-type": "application/json" });
    const padding = "x".repeat(64 * 1024);
    const pieces = [`{"padding":"`, ...Array(mebibytes * 16).fill(padding), `",`];
    for (const piece of pieces) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end(JSON.stringify(body).slice(1));
  };
}

/** Sends a correct answer one byte at a time, so that the connection is never idle and the body takes very long. */
export function drip(status: number, body: unknown, intervalMs: number): Answer {
  return ({ response }) => {
    const whole = Buffer.from(JSON.stringify(body));
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": whole.length,
    });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(whole.subarray(sent, sent + 1));
      sent += 1;
      if (sent >= whole.length) {
        clearInterval(timer);
        response.end();
      }
    }, intervalMs);
    response.on("close", () => clearInterval(timer));
  };
}

/** A redirect. */
export function redirect(status: number, location: string): Answer {
  return json(status, { error: "moved" }, { location });
}

/** Sends bytes that are not HTTP. */
export const notHttp: Answer = ({ socket }) => {
  socket.end("220 mail.example ESMTP\r\n");
};

/** An answer that is sent only after the test calls `release`. */
export function held(answer: Answer): Answer & { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = async (exchange: Exchange): Promise<void> => {
    await promise;
    await answer(exchange);
  };
  waiting.release = () => resolve();
  return waiting;
}

/** An answer that is sent after a delay, in milliseconds. */
export function late(answer: Answer, milliseconds: number): Answer {
  return async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await answer(exchange);
  };
}

/** Resolves when the response takes more data, or is closed. */
function drained(response: AnswerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.once("drain", go);
    response.once("close", go);
  });
}

/** A refusal in GitHub's own form. */
export function refusal(
  status: number,
  message: string,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return json(status, { message, documentation_url: "https://docs.github.com/rest" }, headers);
}

/** Answers the nth request (from 0) with the nth answer that is made. */
export function each(make: (nth: number) => Answer): Answer {
  let nth = 0;
  return (exchange: Exchange) => make(nth++)(exchange);
}
