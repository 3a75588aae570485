/** `README.md` in the ledger's ref, for people who read it with git. */
export const README = `# The ledger of Docs Agent Action

This commit belongs to a ledger: \`ledger.json\` is what the next run begins with, \`history/\` has a line for each
thing that came to its end, and the commits of this ref say what happened and when. Every run of the
action reads it and writes it. REF is the full name of the ref, such as \`refs/docs-agent/upkeep/1a2b3c4d5e6f\`.

Look at it:

    git fetch origin REF && git log FETCH_HEAD

Back it up:

    git fetch origin REF:refs/backup/ledger

Restore it, or set it to an earlier commit:

    git push --force origin COMMIT:REF

Begin anew, as the action's first run did:

    git push origin --delete REF

If the action has a dashboard, close it and take its label off; then start the workflow. To repair an entry by hand, commit on
top of the ref and push it there: runs that are at work meanwhile notice, and read again.
`;
