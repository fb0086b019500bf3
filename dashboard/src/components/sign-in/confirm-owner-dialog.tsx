// The dialog of a re-authentication: by password, by provider, or by passkey if the account has
// one.
import { logIn } from 'sdk'
import { useLocation, useSearch } from 'wouter'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { useWaysToLogIn } from '../../lib/sign-in/sso.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { securityTexts } from '../../messages/account-texts.ts'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'
import { ErrorNotice } from '../notice.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { Skeleton } from '../skeleton.tsx'
import PasskeyButton from './passkey-button.tsx'
import SsoButtons from './sso-buttons.tsx'

const texts = securityTexts.confirmOwner

type Props = { onClose: () => void; onConfirmed: () => void }

export default function ConfirmOwner({ onClose, onConfirmed }: Props) {
  const { email } = useAccount()
  const ways = useWaysToLogIn()
  const [path] = useLocation()
  const search = useSearch()
  const { isBusy, error, problemOf, onSubmit } = useSubmit(['password'], async (textOf) => {
    await answerOf(logIn({ body: { email, password: textOf('password') } }))
    onConfirmed()
  })
  const next = search === '' ? path : `${path}?${search}`
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.text}>
      {ways ? <SsoButtons next={next} confirms={ways.providers} /> : <Skeleton lines={1} />}
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
      {ways?.hasPasskey && <PasskeyButton onLoggedIn={onConfirmed} />}
    </Dialog>
  )
}
