/** Issues, labels, assignees, comments, reactions, people. */

import { emulated, FAULT, notOurs, switched } from "./habit.ts";

const EDITED = "can be edited by writers, and stay their author's";
const MOVED = "that was transferred is 301, that was deleted 410, and without issues 410 as well";

export const CONVERSATIONS = [
  emulated(
    "a body has at most 65,536 characters: 422",
    "believed",
    "with a body that is too long is refused: 422",
  ),
  switched(
    "an edit on the page makes CRLF, the API gives back what was saved",
    "actions/runner#1462",
    "has lines that end with CRLF if its text was edited on the page, and none that are not in the API",
  ),
  emulated("PATCH has no precondition: the last write wins", "believed", EDITED),
  emulated(
    "labels and assignees are dropped without push access",
    "Create an issue",
    "of somebody without push access is created without labels and assignees",
  ),
  emulated(
    "who cannot be assigned is left out of the 201",
    "Issues: assignees",
    "who cannot be assigned is left out, without an error",
  ),
  emulated(
    "lists are filtered by labels",
    "OpenAPI",
    "by its label and its body among others, the newest of those that are open",
  ),
  emulated(
    "lists of issues have no rel=last, since April 2025; others may lack it",
    "google/go-github#3564",
    "of issues have no link to the last one, and with the switch no list has",
  ),
  emulated(
    "deep pages of issues: 422",
    "google/go-github#3565",
    "on a page that is too deep is not listed: 422",
  ),
  emulated("transferred: 301; deleted or converted: 410; switched off: 410", "Get an issue", MOVED),
  emulated(
    "archived: 403",
    "Create an issue",
    "that is private is visible only to accounts with a role, and one that is archived is read-only",
  ),
  emulated(
    "issues and pull requests share numbers",
    "believed",
    "as gone when it was deleted, transferred, or is a pull request",
  ),
  switched(
    "lists lag behind what was created",
    "cli/cli#4907",
    "with `behind`, reads return an outdated state, and writes use the current one",
  ),
  emulated(
    "comments of a repository are by `sort`; direction counts only with it",
    "List issue comments",
    "of a repository are sorted only if the request says by what",
  ),
  emulated(
    "the repository's list of comments ends with 422",
    "singer-io/tap-github#61",
    "that are too deep in a repository's comments are refused: 422",
  ),
  emulated(
    "2,500 comments an issue, then 403",
    "borchero/terraform-plan-comment#53",
    "are at most 2,500 an issue",
  ),
  emulated("writers edit any comment; the author stays", "Managing disruptive comments", EDITED),
  emulated("editing a deleted comment: 404", "believed", EDITED),
  switched(
    "creation is not idempotent, and its answer can be lost",
    "believed",
    "a leg whose comment was created without a confirmation does not overwrite another leg's comment",
  ),
  switched(
    "comments of hidden accounts are not listed, and pages get shorter",
    "believed",
    "whose account is hidden vanish from lists, and what they opened is 404",
  ),
  emulated("a reaction that exists: 200", "Reactions", "get each reaction of an account once"),
  emulated(
    "a review takes a reaction by GraphQL only",
    "Reactions",
    "a review takes a reaction through the graph, by its id",
  ),
  emulated(
    "a locked conversation takes comments of people who may write only",
    "Locking conversations",
    "refuses the comments of the workflow's token too, not only of readers",
  ),
  emulated(
    "reactions in a locked conversation need write access",
    "Locking conversations",
    "takes reactions only of accounts with write access",
  ),
  switched("who is blocked or limited: 403", "Locking conversations", FAULT),
  emulated(
    "permission is admin, write, read or none; everybody reads what is public",
    "Collaborators",
    "is read for everybody in a public repository, and triage counts as read, maintain as write",
  ),
  switched(
    "role_name can be that of a custom role",
    "Collaborators",
    "can be a custom one, whose permission is that of the role it extends",
  ),
  emulated(
    "bots have no role: 404 'is not a user'",
    "anthropics/claude-code-action#1018",
    "is nothing that bots have: they are not users",
  ),
  switched(
    "bots need not end in [bot]",
    "anthropics/claude-code-action#1018",
    "can be bots whose login does not say so",
  ),
  switched(
    "a login that was given up can be taken by others; the old one is 404",
    "Changing your username",
    "can take a login that was given up, which has no permission until then",
  ),
  switched("the endpoint asked for admin, for a day", "channable/hoff#91", FAULT),
  switched(
    "author_association of private members is CONTRIBUTOR or NONE",
    "actions/github-script#643",
    "who keep their membership private are CONTRIBUTOR or NONE",
  ),
  notOurs(
    "labels with commas, renamed labels, labels that a triager may not make",
    "OpenAPI",
    "the actions' labels have fixed names, and a body mark beside them",
  ),
  notOurs("minimised comments are listed", "believed", "they are comments like any other"),
  notOurs(
    "a label by an issue form is the opener's",
    "Syntax for issue forms",
    "the examples' pages warn of it; the payload is that of any label",
  ),
];
