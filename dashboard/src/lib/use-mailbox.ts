// The sandbox's mailbox, polled while the page is visible. It does not use TanStack Query, which
// the pages before the log-in do not load.
import { useEffect, useState } from 'react'
import {
  listSandboxMailbox,
  readSandboxMail,
  type SandboxMail,
  type SandboxMailResponse,
} from 'sdk'
import { answerOf } from './api.ts'
import { useIsSandbox } from './sign-in/service-facts.ts'

const every_ms = 4_000

type Reading<T> =
  | { state: 'reading' }
  | { state: 'failed'; error: unknown }
  | { state: 'read'; data: T }

function useReading<T>(read: () => Promise<T>, key: string, again_ms: number | null): Reading<T> {
  const [reading, setReading] = useState<Reading<T>>({ state: 'reading' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when it is another read
  useEffect(() => {
    let isOver = false
    const ask = () => {
      if (document.hidden) return
      read().then(
        (data) => isOver || setReading({ state: 'read', data }),
        (error: unknown) => isOver || setReading({ state: 'failed', error }),
      )
    }
    setReading({ state: 'reading' })
    ask()
    const timer = again_ms === null ? undefined : setInterval(ask, again_ms)
    document.addEventListener('visibilitychange', ask)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [key])
  return reading
}

export function useMailbox(): Reading<readonly SandboxMail[]> {
  const read = async () => (await answerOf(listSandboxMailbox())).mails
  return useReading(read, 'list', every_ms)
}

export function useMail(mail_id: string): Reading<SandboxMailResponse> {
  return useReading(() => answerOf(readSandboxMail({ path: { mail_id } })), mail_id, null)
}

/**
 * Whether there is a mailbox to link to. Even a sandbox has none if its mail goes to a mail server,
 * and there is no link until the answer comes.
 */
export function useHasMailbox(): boolean {
  const isSandbox = useIsSandbox()
  const [has, setHas] = useState(false)
  useEffect(() => {
    if (!isSandbox) return
    answerOf(listSandboxMailbox()).then(
      () => setHas(true),
      () => setHas(false),
    )
  }, [isSandbox])
  return has
}
