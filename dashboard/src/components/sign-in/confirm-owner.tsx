// Re-authentication: a request that needs a log-in of the last ten minutes is repeated after a new
// log-in.
import { useState } from 'react'
import { PartPlace } from '../../components/part-place.tsx'
import { earlyPart } from '../../lib/parts/lazy-part.ts'
import {
  type Confirmed,
  endWaiting,
  needsLogIn,
  useIsLogInNeeded,
} from '../../lib/sign-in/confirmed.ts'

// The dialog is loaded when it is needed, since most users see it only now and then.
const ConfirmOwner = earlyPart(() => import('./confirm-owner-dialog.tsx'))

type Waiting = { go: () => void; stop: () => void }

/**
 * `confirmed` repeats the work after a new log-in if the service asks for one. If the user closes
 * the dialog, it rejects with the service's refusal.
 */
export function useConfirmation() {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const confirmed: Confirmed = async (work) => {
    try {
      return await work()
    } catch (failure) {
      if (!needsLogIn(failure)) throw failure
      await new Promise<void>((resolve, reject) => {
        setWaiting({ go: resolve, stop: () => reject(failure) })
      })
      return confirmed(work)
    }
  }
  const end = (how: () => void) => {
    setWaiting(null)
    how()
  }
  const dialog = waiting && (
    <PartPlace>
      <ConfirmOwner onClose={() => end(waiting.stop)} onConfirmed={() => end(waiting.go)} />
    </PartPlace>
  )
  return { confirmed, dialog }
}

/** `run` does the work with `confirmed`, and keeps its error. */
export function useConfirmedOwner() {
  const { confirmed, dialog } = useConfirmation()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    try {
      await confirmed(work)
    } catch (failure) {
      // A failure that still needs a log-in means that the user has closed the dialog.
      if (!needsLogIn(failure)) setError(failure)
    }
    setBusy(false)
  }
  return { run, isBusy, error, dialog }
}

/** The dialog serves the requests of `confirmed` (lib/sign-in/confirmed.ts) on every page. */
export function SharedConfirmation() {
  if (!useIsLogInNeeded()) return null
  return (
    <PartPlace>
      <ConfirmOwner onClose={() => endWaiting('stop')} onConfirmed={() => endWaiting('go')} />
    </PartPlace>
  )
}
