// Button that requests another mailed code, once the wait between two codes is over.
import { useState } from 'react'
import { useCountdown } from '../../lib/use-countdown.ts'
import { codeTexts as texts } from '../../messages/sign-in/code-texts.ts'
import { Button } from '../button.tsx'
import { ErrorNotice } from '../notice.tsx'

type Props = {
  /** The time at which the last code was sent, in milliseconds. */
  sent_at: number
  wait_s: number
  onResend: () => Promise<void>
}

export function ResendButton({ sent_at, wait_s, onResend }: Props) {
  const [since, setSince] = useState(sent_at)
  const [isBusy, setBusy] = useState(false)
  const [isResent, setResent] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const left_s = useCountdown(since, wait_s)
  const resend = async () => {
    setBusy(true)
    setError(null)
    setResent(false)
    try {
      await onResend()
      setSince(Date.now())
      setResent(true)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-2">
      <Button look="ghost" disabled={left_s > 0} busy={isBusy} onClick={() => void resend()}>
        {left_s > 0 ? texts.resendIn(left_s) : texts.resend}
      </Button>
      <p role="status" className="text-center text-sm text-muted empty:hidden">
        {isResent && texts.resent}
      </p>
      {error !== null && <ErrorNotice error={error} />}
    </div>
  )
}
