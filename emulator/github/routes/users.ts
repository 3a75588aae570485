import { found, type Routes } from "../call.ts";
import { userRecord } from "../records.ts";
import { iso } from "../site.ts";

export const userRoutes: Routes = {
  "GET /users/{username}": (call) => {
    const { site } = call;
    const { login } = found(site.findAccount(call.param("username")));
    const at = iso(site.second);
    return {
      ...userRecord(site, login),
      name: null,
      company: null,
      blog: "",
      location: null,
      email: null,
      hireable: null,
      bio: null,
      public_repos: 0,
      public_gists: 0,
      followers: 0,
      following: 0,
      created_at: at,
      updated_at: at,
    };
  },
};
