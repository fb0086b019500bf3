// Log-in with a passkey, or the reason why this page cannot use one. The click loads WebAuthn.
import { useState } from 'react'
import { usePasskeyObstacle } from '../../lib/sign-in/passkey-obstacle.ts'
import { passkeyTexts as texts } from '../../messages/sign-in/passkey-texts.ts'
import { Button } from '../button.tsx'
import { ErrorNotice } from '../notice.tsx'

export default function PasskeyButton({ onLoggedIn }: { onLoggedIn: () => void | Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const obstacle = usePasskeyObstacle()
  const logIn = async () => {
    setBusy(true)
    setError(null)
    try {
      const { logInByPasskey } = await import('../../lib/sign-in/passkeys.ts')
      await logInByPasskey()
      await onLoggedIn()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-2">
      <Button busy={isBusy} disabled={obstacle !== null} onClick={() => void logIn()}>
        {texts.logIn}
      </Button>
      {obstacle && <p className="text-sm text-muted">{obstacle}</p>}
      {error !== null && <ErrorNotice error={error} />}
    </div>
  )
}
