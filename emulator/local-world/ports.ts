import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A port by its place in the row; 0: the system chooses, because no first port was given. */
export function portOf(first: number | undefined, offset: number): number {
  return first === undefined ? 0 : first + offset;
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** `localhost` may resolve to ::1 first, where nothing listens. */
export function loopback(url: string): string {
  return url.replace("//localhost:", "//127.0.0.1:");
}
