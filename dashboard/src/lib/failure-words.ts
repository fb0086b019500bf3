// Words of a failure for people: what happened, and the next step.
import { common } from '../messages/common.ts'
import { openPageHints } from '../messages/hints/open-page-hints.ts'
import { ApiError } from './api.ts'

const texts = common.failed
const hints = new Map(Object.entries(openPageHints))

/** Those of the pages after the log-in come with their shell. */
export function addHints(more: Readonly<Record<string, string>>): void {
  for (const [code, hint] of Object.entries(more)) hints.set(code, hint)
}

type Words = { message: string; hint: string | null; request_id: string | null }

/** `isRead`: it is tried again by itself where the service is away. */
export function wordsOf(error: unknown, { isRead = false } = {}): Words {
  if (!(error instanceof ApiError))
    return { message: texts.crashed, hint: texts.crashedHint, request_id: null }
  const { code, message, hint, request_id } = error.failure
  return code === 'unreachable'
    ? { message: texts.offline, hint: isRead ? texts.offlineAgain : texts.offlineHint, request_id }
    : { message, hint: hints.get(code) ?? hint, request_id }
}
