// The first inconsistency of a verification: its object, and the reason.

export type Finding = {
  what: 'row' | 'block' | 'restoration' | 'era' | 'head' | 'archive'
  /** The id of the row, the number of the link or era, or the name of the archive. */
  id: string
  problem: string
}

/** The first inconsistency. */
export class Unsound extends Error {
  readonly finding: Finding

  constructor(what: Finding['what'], id: string, problem: string) {
    super(problem)
    this.finding = { what, id, problem }
  }
}
