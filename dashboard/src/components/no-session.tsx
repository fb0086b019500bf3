// In place of the page, before it is known whether the browser is logged in: the service is away.
import { useEffect } from 'react'
import { ErrorNotice } from './notice.tsx'

const again_ms = 3_000

type Props = { error: unknown; read: () => Promise<unknown> }

/** Reads again by itself: each failure is another error. */
export function NoSession({ error, read }: Props) {
  useEffect(() => {
    if (error === null) return
    const timer = setTimeout(() => void read(), again_ms)
    return () => clearTimeout(timer)
  }, [error, read])
  return (
    <main className="mx-auto max-w-lg p-6">
      <ErrorNotice error={error} onRetry={() => void read()} />
    </main>
  )
}
