// Words of a failure for people: the cause and the next step. Next steps are loaded after the page,
// or with the first failure.
import { useEffect, useSyncExternalStore } from 'react'
import { common } from '../../messages/common-texts.ts'
import { isHintForPeople, isSentenceForPeople } from '../../messages/problems/for-people.ts'
import { ApiError } from '../api.ts'
import { fetchPart } from '../parts/lazy-part.ts'

const texts = common.failed

type Loaded = typeof import('../../messages/hints/all-hints.ts')

let loaded: Loaded | null = null
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()

export function loadHints(): Promise<void> {
  loading ??= fetchPart(() => import('../../messages/hints/all-hints.ts')).then((hints) => {
    loaded = hints
    for (const listener of listeners) listener()
  })
  return loading
}

function useLoadedHints(): Loaded | null {
  useEffect(() => void loadHints(), [])
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => loaded,
  )
}

/** A sentence of the API about an error with this code, as people may read it. */
export function sentenceOf(code: string, sentence: string): string {
  const known = loaded?.sentences.get(code)
  if (known !== undefined) return known
  return isSentenceForPeople(sentence) ? sentence : texts.refused
}

/** The next step of a person by error code, or null while it is not known. */
export function useHints(): (code: string) => string | null {
  const hints = useLoadedHints()?.hints
  return (code) => hints?.get(code) ?? null
}

export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.crashed
  const { code, message, is_own } = error.failure
  if (code === 'unreachable') return texts.offline
  return is_own ? message : sentenceOf(code, message)
}

type Words = { message: string; hint: string | null; request_id: string | null }

/** `isRead` is true for a read, which is repeated by itself while the service is away. */
export function useFailureWords(error: unknown, { isRead }: { isRead: boolean }): Words {
  const hintOf = useHints()
  const message = messageOf(error)
  if (!(error instanceof ApiError)) return { message, hint: texts.crashedHint, request_id: null }
  const { code, hint: given, request_id } = error.failure
  if (code === 'unreachable')
    return { message, hint: isRead ? texts.offlineAgain : texts.offlineHint, request_id }
  if (error.failure.is_own) return { message, hint: given, request_id }
  const ofApi = given !== null && isHintForPeople(given) ? given : null
  return { message, hint: hintOf(code) ?? ofApi, request_id }
}
