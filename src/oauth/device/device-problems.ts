// Messages for a user code that is not accepted, by the names of the library's errors.
import { oauthWords } from '../../errors/oauth-json.ts'
import { noticePage, type PageResponse } from '../shared/page-layout.ts'

const startAgain = 'Start the log-in again in the program, and enter the code that it shows then.'

/** Another code may be entered at once. */
const problems: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code that the program shows.',
  NotFoundError:
    'No program is waiting with this code. Compare it with the code that the program shows.',
  ExpiredError: `This code has expired. ${startAgain}`,
  AlreadyUsedError: `This code was already used. ${startAgain}`,
}

/** Why a code that is looked up goes no further. */
export type CodeProblem = 'NotFoundError' | 'ExpiredError' | 'AlreadyUsedError'

export function wordsOf(problem: CodeProblem): string {
  return problems[problem] ?? startAgain
}

const deniedPage = noticePage({
  status: 200,
  title: 'Access denied',
  message: 'The program gets no access to your account, and learns that you denied it.',
  action: 'You can close this page.',
})

/** A separate page, or the problem that the form shows, or null if nothing went wrong. */
export function problemPageOf(
  error: Error | undefined,
  out: { error_description?: string | undefined } | undefined,
): { page: PageResponse } | { page: null; problem: string | null } {
  if (error === undefined) return { page: null, problem: null }
  if (error.name === 'AbortedError') return { page: deniedPage }
  const problem = problems[error.name]
  return problem === undefined ? { page: failedPage(error, out) } : { page: null, problem }
}

/** The page for a form that does not come from a page of this browser. */
export const expiredFormPage = noticePage({
  status: 400,
  title: 'This page has expired',
  message: 'It was open for too long, was already used, or your browser does not keep our cookie.',
  action: `No access was granted. ${startAgain}`,
})

function failedPage({ name }: Error, out: { error_description?: string | undefined } | undefined) {
  if (name === 'InvalidRequest' || name === 'SessionNotFound') return expiredFormPage
  const problem = out?.error_description
  return noticePage({
    status: 400,
    title: 'This request cannot be completed',
    message: `The program cannot be connected${problem ? `: ${problem}` : `. ${oauthWords.bug}`}.`,
    action: `No access was granted. ${startAgain}`,
  })
}
