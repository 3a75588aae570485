// undici's entry module also loads fetch, WebSocket, caches and mocks, which costs more than the rest of
// a run together. The parts the action uses are loaded by themselves; their types are the public ones.
declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}
declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  export { EnvHttpProxyAgent as default } from "undici";
}
declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
  export default request;
}
declare module "undici/lib/api/api-connect.js" {
  const connect: import("undici").Dispatcher["connect"];
  export default connect;
}
declare module "undici/lib/dispatcher/dispatcher.js" {
  export { Dispatcher as default } from "undici";
}
