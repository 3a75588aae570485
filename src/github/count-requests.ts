import type { Connect } from "./connect.ts";

/** A client that counts the requests made with it. */
export interface CountingConnect {
  connect: Connect;
  count(): number;
}

export function countingRequests(connect: Connect): CountingConnect {
  let requests = 0;
  let counted: ReturnType<Connect> | undefined;
  return {
    connect: () => {
      counted ??= connect().then((github) => {
        github.hook.before("request", () => {
          requests += 1;
        });
        return github;
      });
      return counted;
    },
    count: () => requests,
  };
}
