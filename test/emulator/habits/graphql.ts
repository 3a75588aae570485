/** The GraphQL API. */

import { emulated, FAULT, notOurs, switched } from "./habit.ts";

const DELETED = "whose account was deleted have no name, in REST and in GraphQL";
export const GRAPHQL = [
  switched(
    "the hourly limit is a 200 with type RATE_LIMIT, and remaining not always 0",
    "yanyongyu/githubkit#271",
    "says with status 200 that the hourly limit is exceeded, and does not say that nothing remains",
  ),
  switched(
    "a secondary limit may be a 200 with only words",
    "octokit/plugin-throttling.js#636",
    "says with status 200 and only in words that a secondary limit is exceeded",
  ),
  switched(
    "RESOURCE_LIMITS_EXCEEDED: 200, and null in places",
    "spiceai/spiceai#13762",
    "leaves out what it likes of a query that costs too much",
  ),
  switched(
    "Something went wrong, without a path or a type",
    "octokit/plugin-retry.js#395",
    "fails without saying at what",
  ),
  emulated(
    "enqueueing what is in the queue: UNPROCESSABLE",
    "ClickHouse/ClickHouse#109183",
    "a pull request joins the merge queue at the expected head, and a push takes it out",
  ),
  switched(
    "one field that cannot be resolved puts errors beside data",
    "Using the GraphQL API",
    "answers an error beside the data if one pull request cannot be resolved, although REST lists it",
  ),
  switched("over 10 s: 502 or 504", "Rate limits and query limits for the GraphQL API", FAULT),
  emulated(
    "100 of a connection",
    "Rate limits and query limits for the GraphQL API",
    "gives at most 100 of a list at once",
  ),
  switched(
    "databaseId of reviews may go; fullDatabaseId is a text",
    "github/rest-api-description#3795",
    "reviews can be without databaseId, and have an ID as a text",
  ),
  switched("authors and commits can be null", "GraphQL schema", DELETED),
  emulated(
    "logins of bots lack [bot]; viewerDidAuthor is the token's",
    "marocchino/sticky-pull-request-comment#332",
    "leaves out the ending of a bot's login, and knows the token's own comments",
  ),
  switched(
    "fields that a server does not know fail the query",
    "octokit/graphql-schema#892",
    "refuses a query with a field that it does not know",
  ),
  emulated("old names resolve", "GraphQL schema", "finds a repository by its former name"),
  emulated(
    "each comment on a line is a COMMENTED review; authorCanPushToRepository is true for apps",
    "GraphQL schema",
    "makes a review of each comment on a line, and says that apps can push",
  ),
  notOurs(
    "mutations cost 5 points of the secondary limit",
    "Rate limits and query limits for the GraphQL API",
    "the actions' only one adds a reaction",
  ),
  emulated(
    "tags are sorted by the commit's date, annotated ones by the tagger's",
    "renovatebot/renovate#16374",
    "sorts tags by their commits' dates, but annotated ones by their tagger's",
  ),
];
