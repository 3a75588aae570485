/**
 * A text in which GitHub or a mail program repeats what somebody else wrote. `words` are the other person's, and
 * the author's `own` words come before them.
 */
export interface Repeated {
  name: string;
  text: (words: string, own?: string) => string;
}

/** Issues that GitHub creates from a discussion or a comment. */
export const MADE_ISSUES: readonly Repeated[] = [
  {
    name: "made from a discussion",
    text: (words, own = "") =>
      `${own}\n### Discussed in https://github.com/octo/docs/discussions/12\n\n<div type='discussions-op-text'>\n\n<sup>Originally posted by **outsider** April  3, 2024</sup>\n${words}</div>`,
  },
  {
    name: "that references a comment",
    text: (words, own = "") =>
      `${own}${words}\n\n_Originally posted by @outsider in https://github.com/octo/docs/issues/7#issuecomment-1426792627_\n            `,
  },
  {
    name: "that references a comment by its number",
    text: (words, own = "") =>
      `${own}${words}\n\n _Originally posted by @outsider in [#7](https://github.com/octo/docs/issues/7#issuecomment-2849277210)_`,
  },
  {
    name: "that references a review",
    text: (words, own = "") =>
      `${own}${words}\n\n_Originally posted by @outsider in https://github.com/octo/docs/pull/7#discussion_r2132389836_`,
  },
];

/** Replies by e-mail. GitHub keeps the quotation, and removes the addresses. */
export const MAILS: readonly Repeated[] = [
  {
    name: "of Gmail",
    text: (words, own = "") =>
      `${own}\n\nOn Tue, Jun 29, 2021 at 9:44 AM outsider ***@***.***> wrote:\n\n${words}\n`,
  },
  {
    name: "of Gmail, with an address on a line of its own",
    text: (words, own = "") =>
      `${own}\n\nOn Sun, Jun 16, 2019 at 10:43 A Very Long Name of an Outsider <\nnotifications@github.com> wrote:\n\n${words}\n`,
  },
  {
    name: "of Apple Mail",
    text: (words, own = "") =>
      `${own}\n\nOn 24 Feb 2023, at 18:30, An Outsider\nof the Project wrote:\n\n${words}\n`,
  },
  {
    name: "of Outlook",
    text: (words, own = "") =>
      `${own}\n\nFrom: outsider ***@***.***>\nSent: Tuesday, June 29, 2021 11:34 AM\nTo: octo/docs ***@***.***>\nCc: Writer ***@***.***>; Mention ***@***.***>\nSubject: Re: [octo/docs] The webhooks are not documented (#7)\n\n${words}\n`,
  },
  {
    name: "of Outlook that shows no addresses",
    text: (words, own = "") =>
      `${own}\n\n**From:** outsider\n**Sent:** Tuesday, June 29, 2021 11:34 AM\n**Subject:** Re: [octo/docs] The webhooks (#7)\n\n${words}\n`,
  },
  {
    name: "of an older Outlook",
    text: (words, own = "") => `${own}\n\n-----Original Message-----\nFrom: outsider\n\n${words}\n`,
  },
  {
    name: "of Outlook in German",
    text: (words, own = "") =>
      `${own}\n\nVon: outsider ***@***.***>\nGesendet: Dienstag, 29. Juni 2021 11:34\nBetreff: Re: [octo/docs] (#7)\n\n${words}\n`,
  },
  {
    name: "in Chinese, from before GitHub left out addresses",
    text: (words, own = "") =>
      `${own}\n\n2017-07-03 20:14 GMT+08:00 outsider <notifications@github.com>:\n\n${words}\n`,
  },
  {
    name: "to the address of the conversation",
    text: (words, own = "") =>
      `${own}\n\nA: octo/docs <reply+AAB3N7ZQ@reply.github.com>\nOggetto: Re: [octo/docs] (#7)\n\n${words}\n`,
  },
  {
    name: "that forwards a message",
    text: (words, own = "") =>
      `${own}\n\n---------- Forwarded message ---------\nFrom: outsider\nDate: Tue, 29 Jun 2021\n\n${words}\n`,
  },
];
