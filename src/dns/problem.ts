// A malformed DNS value as an exception within this library. The functions that read external data
// return it as a problem, with a sentence and, if it is known, the repaired value.

export type Problem = { problem: string; repaired?: string }

export class DnsProblem extends Error {
  /** The whole corrected value, or undefined if that is not certain. */
  readonly repaired: string | undefined

  constructor(message: string, repaired?: string) {
    super(message)
    this.name = 'DnsProblem'
    this.repaired = repaired
  }
}

/** The result of `work`, or its problem. Any other error is a bug, and is rethrown. */
export function orProblem<Result extends object>(work: () => Result): Result | Problem {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof DnsProblem)) throw error
    const { message: problem, repaired } = error
    return repaired === undefined ? { problem } : { problem, repaired }
  }
}

/** An external value within a sentence, made short and without control characters. */
export function quoted(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 77)}...` : text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to replace.
  return `"${shown.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')}"`
}
