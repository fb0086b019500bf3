// Sign-up, second and third step: the mailed code or link creates the account, whose first API key
// is then shown once. The session begins with the key, but the pages wait until the key is stored.
import { useState } from 'react'
import { resendSignUp, verifySignUp } from 'sdk'
import { Link, useLocation, useSearch } from 'wouter'
import { buttonClass } from '../components/button.tsx'
import { CodeForm } from '../components/sign-in/code-form.tsx'
import { EntryPage } from '../components/sign-in/entry-page.tsx'
import { FirstKey } from '../components/sign-in/first-key.tsx'
import { SignUpLink } from '../components/sign-in/sign-up-link.tsx'
import { answerOf } from '../lib/api.ts'
import { nextPath, routes, withNext } from '../lib/routes.ts'
import { readSession } from '../lib/session.ts'
import { useFragment } from '../lib/sign-in/fragment.ts'
import { endSignUp, keepSignUp, type OpenSignUp, readSignUp } from '../lib/sign-in/open-sign-up.ts'
import { signUpTexts as texts } from '../messages/sign-up-texts.ts'

export default function VerifySignUpPage() {
  const token = useFragment().get('token')
  const [, navigate] = useLocation()
  const next = nextPath(useSearch())
  const [signUp] = useState(readSignUp)
  const [key, setKey] = useState<string | null>(null)
  const onCreated = (made: string) => {
    endSignUp()
    setKey(made)
  }
  const goOn = async () => {
    await readSession()
    navigate(next, { replace: true })
  }
  if (key !== null) return <FirstKey value={key} onStored={goOn} />
  if (token !== null)
    return <SignUpLink token={token} onCreated={async (made) => onCreated(keyOf(made))} />
  if (signUp !== null) return <WithCode signUp={signUp} onCreated={onCreated} />
  return (
    <EntryPage title={texts.link.noSignUp} subtitle={texts.link.noSignUpText}>
      <Link href={routes.signUp} className={buttonClass('primary')}>
        {texts.link.start}
      </Link>
    </EntryPage>
  )
}

type Created = { onCreated: (key: string) => void }

/**
 * The first key of the account. It is null only if single sign-on logs in to an existing account.
 */
function keyOf({ mcp_api_key }: { mcp_api_key: string | null }): string {
  if (mcp_api_key === null) throw new Error('The new account has no key')
  return mcp_api_key
}

function WithCode({ signUp, onCreated }: Created & { signUp: OpenSignUp }) {
  const { id: signup_id, email, sent_at } = signUp
  const verify = async (code: string) =>
    onCreated(keyOf(await answerOf(verifySignUp({ body: { signup_id, code } }))))
  const resend = async () => {
    await answerOf(resendSignUp({ body: { signup_id } }))
    keepSignUp({ ...signUp, sent_at: Date.now() })
  }
  return (
    <EntryPage title={texts.verify.title} subtitle={texts.verify.sentTo(email)}>
      <CodeForm texts={texts.verify} sent_at={sent_at} onCode={verify} onResend={resend} />
      <OtherAddress />
    </EntryPage>
  )
}

function OtherAddress() {
  const next = nextPath(useSearch())
  return (
    <p className="mt-6 text-sm text-muted">
      {texts.verify.none}{' '}
      <Link href={withNext(routes.signUp, next)} className="text-accent-ink underline">
        {texts.verify.restart}
      </Link>
    </p>
  )
}
