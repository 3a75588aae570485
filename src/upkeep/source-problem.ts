/** Why a source cannot be read, though GitHub answered: the end of a sentence. */
export class SourceProblem extends Error {}
