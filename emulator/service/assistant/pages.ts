/** The documentation that the emulated assistant knows when its seed brings none. */
export const PAGES = [
  {
    title: "Create a key",
    url: "https://docs.acme.example/keys/create",
    text: "Open the keys page of the dashboard, choose a name and the scopes, and create the key. It is shown once: store it as a secret.",
  },
  {
    title: "Rotate a key",
    url: "https://docs.acme.example/keys/rotate",
    text: "To rotate a key, create a second key, put it where the first is used, and delete the first when nothing uses it any more.",
  },
  {
    title: "Rate limits",
    url: "https://docs.acme.example/limits",
    text: "A project may use the agent 100 times an hour. Over the limit the service answers 429; Retry-After says how long to wait.",
  },
  {
    title: "Webhooks",
    url: "https://docs.acme.example/webhooks",
    text: "A webhook receives a signed POST request for each event. Check the signature before you trust the body.",
  },
];
