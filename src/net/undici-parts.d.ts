// The parts of undici that `undici.ts` loads have the types that its entry module declares for them.
declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}
declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici";
}
declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  /** Calls it right before a request is written to a connection. */
  interface Handler extends Dispatcher.DispatchHandler {
    onConnect: NonNullable<Dispatcher.DispatchHandler["onConnect"]>;
  }
  function request(
    this: { dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean },
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
  export default request;
}
