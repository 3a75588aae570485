/** What comes before the host of an address: a user, or a user and a password. */
const USER = /(?<=\/\/)[^\s/?#"'<>`]+@/g;

/** Replaces what looks like a credential in an address: `https://user:password@host`. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(USER, "***@");
}
