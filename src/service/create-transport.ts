import type { Dependencies } from "../runtime/dependencies.ts";
import { Transport } from "./transport.ts";

/** Where the service is, and who asks it. */
export interface ServiceAccess {
  /** Address of the service, checked: `https:` unless the host is loopback. */
  baseUrl: URL;
  apiKey: string;
}

/**
 * The run's transport to the service; nothing is sent yet.
 *
 * @throws ProxySettingsError if the service is behind a proxy whose settings cannot be used
 */
export function createTransport(
  { baseUrl, apiKey }: ServiceAccess,
  { http, secrets, clock }: Pick<Dependencies, "http" | "secrets" | "clock">,
): Transport {
  return new Transport({ http, baseUrl, apiKey, secrets, timeOfDay: clock.timeOfDay });
}
