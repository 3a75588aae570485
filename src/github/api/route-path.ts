/** Where a route leads to with its parameters. */

import type { Outgoing } from "../../net/http.ts";

/** The parameters of a request, by their names. */
export type Given = Readonly<Record<string, unknown>>;

/** The method of a route. */
export function methodIn(route: string): Outgoing["method"] {
  const [method] = route.split(" ");
  return METHODS.find((known) => known === method) ?? "GET";
}

const METHODS = ["POST", "PATCH", "PUT", "DELETE"] as const;

/** The path of a route with its parameters, and those that are sent in another way. What is null is not sent. */
export function placeOf(route: string, given: Given): { path: string; rest: Given } {
  const names = new Set<string>();
  const below = route.slice(route.indexOf(" ") + 1);
  const template = below.startsWith("/") ? below : `/repos/{+repository}/${below}`;
  const path = template.replaceAll(PARAMETER, (_, plus, name) => {
    names.add(name);
    const value = String(given[name]).toWellFormed();
    const parts = plus === "" ? [value] : value.split("/");
    return parts.map(encodedPart).join("/");
  });
  const others = Object.entries(given).filter(([name, value]) => {
    return !names.has(name) && value !== null && value !== undefined;
  });
  return { path, rest: Object.fromEntries(others) };
}

const PARAMETER = /\{(\+?)(\w+)\}/g;

/** A URL would lead elsewhere by these names. GitHub has nothing by them, encoded twice or not. */
function encodedPart(part: string): string {
  return part === "." || part === ".." ? part.replaceAll(".", "%252E") : encodeURIComponent(part);
}
