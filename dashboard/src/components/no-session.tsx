// Shown in place of the page while the service is away, before it is known whether the browser is
// logged in.
import { useEffect } from 'react'
import { ErrorNotice } from './notice.tsx'

const again_ms = 3_000

type Props = { error: unknown; read: () => Promise<unknown> }

/** It reads again by itself: each failure is a new `error`. */
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
