import type http from "node:http";
import type { Answer } from "./faulty-server.ts";

/** How a streamed answer comes to its end, or does not. */
export type StreamEnd = "end" | "reset" | "never";

/** What a stream is made of, now or as the test goes on. */
export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** An answer that arrives in pieces, each in a chunk of its own. */
export function streamed(
  pieces: Pieces,
  headers: http.OutgoingHttpHeaders,
  end: StreamEnd = "end",
): Answer {
  return async ({ response, socket }) => {
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8", ...headers });
    response.flushHeaders();
    for await (const piece of pieces) {
      if (response.destroyed) return;
      await new Promise<void>((resolve) => {
        // A client that goes away leaves the piece unwritten.
        const done = () => {
          response.off("close", done);
          resolve();
        };
        response.once("close", done);
        response.write(piece, done);
      });
    }
    if (end === "end") response.end();
    if (end === "reset") socket.resetAndDestroy();
  };
}

/** The same piece for ever, as an agent that never stops talking: until the client has heard enough. */
export function* endless(piece: string): Generator<string> {
  for (;;) yield piece;
}
