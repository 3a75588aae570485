/** Answers of a faulty server, good and bad ones. */

import type http from "node:http";
import type { Answer } from "./faulty-server.ts";

/** Body and status in JSON. */
export function json(
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return text(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** Any text; HTML unless the headers say otherwise. */
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

/** Reads the whole request and then resets the connection: the server may well have acted on it. */
export const resetAfterRequest: Answer = ({ socket }) => {
  socket.resetAndDestroy();
};

/** Reads the whole request and closes the connection in good order, without an answer. */
export const closeAfterRequest: Answer = ({ socket }) => {
  socket.end();
};

/** Never answers. */
export const hangBeforeHeaders: Answer = () => {};

/** Sends the headers and a first piece of the body, and then nothing. */
export const hangInBody: Answer = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
  response.write('{"id":"job');
};

/** Promises a whole body, sends half of it and closes. */
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

/** A correct JSON object, made larger by a field that nobody asked for; sent in chunks. */
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

/** Sends a good answer one byte at a time: always alive, and never done in reasonable time. */
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

/** Sends the client elsewhere. */
export function redirect(status: number, location: string): Answer {
  return json(status, { error: "moved" }, { location });
}

/** Speaks something that is not HTTP. */
export const notHttp: Answer = ({ socket }) => {
  socket.end("220 mail.example ESMTP\r\n");
};

/** An answer that waits until the test lets it go. */
export function held(answer: Answer): Answer & { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: Answer = async (exchange) => {
    await promise;
    await answer(exchange);
  };
  return Object.assign(waiting, { release: () => resolve() });
}

function drained(response: http.ServerResponse): Promise<void> {
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
