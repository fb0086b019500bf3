// Fresh log-in before an identity is linked, by password, by passkey or by an identity that is
// linked already.
import { logIn } from 'sdk'
import { Button } from '../../components/button.tsx'
import { CurrentPasswordField, EntryForm } from '../../components/sign-in/entry-form.tsx'
import { EntryPage } from '../../components/sign-in/entry-page.tsx'
import PasskeyButton from '../../components/sign-in/passkey-button.tsx'
import SsoButtons from '../../components/sign-in/sso-buttons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { confirmedPath, useWaysToLogIn } from '../../lib/sign-in/sso.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { securityTexts } from '../../messages/account-texts.ts'
import { ssoTexts } from '../../messages/sign-in/sso-texts.ts'

const texts = securityTexts.confirmOwner

export default function ConfirmOwner({ onConfirmed }: { onConfirmed: () => Promise<void> }) {
  const session = useSession()
  const ways = useWaysToLogIn()
  const email = session.state === 'logged_in' ? session.account.email : ''
  const { isBusy, error, problemOf, onSubmit } = useSubmit(['password'], async (textOf) => {
    await answerOf(logIn({ body: { email, password: textOf('password') } }))
    await onConfirmed()
  })
  if (ways === null) return <Skeleton />
  return (
    <EntryPage key="owner" title={ssoTexts.owner.title} subtitle={ssoTexts.owner.text}>
      <SsoButtons next={confirmedPath} confirms={ways.providers} />
      <EntryForm error={error} onSubmit={onSubmit}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <CurrentPasswordField label={texts.password} problem={problemOf('password')} />
        <Button type="submit" look="primary" busy={isBusy}>
          {texts.submit}
        </Button>
      </EntryForm>
      {ways.hasPasskey && (
        <div className="mt-6 border-t border-line pt-6">
          <PasskeyButton onLoggedIn={onConfirmed} />
        </div>
      )}
    </EntryPage>
  )
}
