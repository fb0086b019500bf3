// Re-authentication: actions that need a log-in of the last ten minutes are repeated after one.
import { useState } from 'react'
import { logIn } from 'sdk'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import PasskeyButton from '../../components/sign-in/passkey-button.tsx'
import SsoButtons from '../../components/sign-in/sso-buttons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAccount } from '../../lib/account.ts'
import { ApiError, answerOf } from '../../lib/api.ts'
import { useLinkedProviders } from '../../lib/sign-in/sso.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { securityTexts } from '../../messages/account-texts.ts'

const texts = securityTexts.confirmOwner

type Work = () => Promise<void>

/** `run` repeats the work after a new log-in where the service asks for one. */
export function useConfirmedOwner() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [waiting, setWaiting] = useState<Work | null>(null)
  const run = async (work: Work) => {
    setBusy(true)
    setError(null)
    setWaiting(null)
    try {
      await work()
    } catch (failure) {
      if (needsLogIn(failure)) setWaiting(() => work)
      else setError(failure)
    }
    setBusy(false)
  }
  const dialog = waiting && (
    <ConfirmOwner onClose={() => setWaiting(null)} onConfirmed={() => void run(waiting)} />
  )
  return { run, isBusy, error, dialog }
}

function needsLogIn(failure: unknown): boolean {
  return failure instanceof ApiError && failure.failure.code === 'fresh_log_in_needed'
}

function ConfirmOwner({ onClose, onConfirmed }: { onClose: () => void; onConfirmed: () => void }) {
  const { email } = useAccount()
  const linked = useLinkedProviders()
  const [path] = useLocation()
  const { isBusy, error, problemOf, onSubmit } = useSubmit(['password'], async (textOf) => {
    await answerOf(logIn({ body: { email, password: textOf('password') } }))
    onConfirmed()
  })
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.text}>
      {linked === null ? <Skeleton lines={1} /> : <SsoButtons next={path} only={linked} />}
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        {error !== null && <ErrorNotice error={error} />}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          label={texts.password}
          name="password"
          type="password"
          autoComplete="current-password"
          problem={problemOf('password')}
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {texts.submit}
        </Button>
      </form>
      <PasskeyButton onLoggedIn={onConfirmed} />
    </Dialog>
  )
}
