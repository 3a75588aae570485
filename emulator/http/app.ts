/** The shapes that `emulate` gives to an emulator's routes. */

import type { EmulatorContext } from "emulate";

/** Where an emulator registers its routes. */
export type App = EmulatorContext<object>["app"];

/** One request, as a route receives it. */
export type Call = Parameters<Parameters<App["get"]>[1]>[0];

/** Name under which the text of a request's body is kept for its route. */
export const BODY = "body";

/** The key or token in an `Authorization` header, if it holds one. */
export function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
