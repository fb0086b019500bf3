// Sign-up, second and third step: the mailed code or link creates the account, whose first API key
// is then shown once. The session is there with the key, but the pages wait until it is stored.
import { useState } from 'react'
import { resendSignUp, verifySignUp } from 'sdk'
import { Link, useLocation, useSearch } from 'wouter'
import { Button, buttonClass } from '../components/button.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { CodeField } from '../components/sign-in/code-field.tsx'
import { EntryPage } from '../components/sign-in/entry-page.tsx'
import { MailboxLink } from '../components/sign-in/mailbox-link.tsx'
import { ResendButton } from '../components/sign-in/resend-button.tsx'
import { SecretOnce } from '../components/sign-in/secret-once.tsx'
import { answerOf } from '../lib/api.ts'
import { nextPath, routes, withNext } from '../lib/routes.ts'
import { readSession } from '../lib/session.ts'
import { endSignUp, keepSignUp, type OpenSignUp, readSignUp } from '../lib/sign-in/open-sign-up.ts'
import { useServiceFacts } from '../lib/sign-in/service-facts.ts'
import { useTokenOfFragment } from '../lib/sign-in/token-of-fragment.ts'
import { useSubmit } from '../lib/use-submit.ts'
import { signUpTexts as texts } from '../messages/sign-up.ts'

export default function VerifySignUpPage() {
  const token = useTokenOfFragment()
  const [signUp] = useState(readSignUp)
  const [key, setKey] = useState<string | null>(null)
  const onCreated = (made: string) => {
    endSignUp()
    setKey(made)
  }
  if (key !== null) return <FirstKey value={key} />
  if (token !== null) return <WithLink token={token} onCreated={onCreated} />
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

/** Null only where single sign-on logs in to an account that exists. */
function keyOf({ mcp_api_key }: { mcp_api_key: string | null }): string {
  if (mcp_api_key === null) throw new Error('The new account has no key')
  return mcp_api_key
}

/** A click, not the load of the page, uses the link: programs open links of mails, too. */
function WithLink({ token, onCreated }: Created & { token: string }) {
  const { isBusy, error, onSubmit } = useSubmit([], async () => {
    onCreated(keyOf(await answerOf(verifySignUp({ body: { token } }))))
  })
  return (
    <EntryPage title={texts.link.title} subtitle={texts.link.text}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== null && <ErrorNotice error={error} />}
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-warn">{texts.link.warning}</p>
        <Button type="submit" look="primary" busy={isBusy}>
          {isBusy ? texts.verify.submitting : texts.link.submit}
        </Button>
        {error !== null && (
          <div className="flex flex-wrap gap-2">
            <Link href={routes.logIn} className={buttonClass()}>
              {texts.logIn}
            </Link>
            <Link href={routes.signUp} className={buttonClass()}>
              {texts.link.start}
            </Link>
          </div>
        )}
      </form>
    </EntryPage>
  )
}

function WithCode({ signUp, onCreated }: Created & { signUp: OpenSignUp }) {
  const { id: signup_id, email } = signUp
  const facts = useServiceFacts()
  const length = facts.state === 'read' ? facts.signUp.code.length : 6
  const resend_after_s = facts.state === 'read' ? facts.signUp.code.resend_after_s : 60
  const [code, setCode] = useState('')
  const { isBusy, error, onSubmit, setError } = useSubmit([], async () => {
    if (code.length < length) return
    try {
      onCreated(keyOf(await answerOf(verifySignUp({ body: { signup_id, code } }))))
    } catch (failure) {
      setCode('')
      throw failure
    }
  })
  const resend = async () => {
    await answerOf(resendSignUp({ body: { signup_id } }))
    keepSignUp({ ...signUp, sent_at: Date.now() })
    setError(null)
  }
  return (
    <EntryPage title={texts.verify.title} subtitle={texts.verify.sentTo(email)}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        {error !== null && <ErrorNotice error={error} />}
        <CodeField
          name="code"
          length={length}
          value={code}
          isRefused={error !== null}
          onChange={setCode}
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {isBusy ? texts.verify.submitting : texts.verify.submit}
        </Button>
        <ResendButton sent_at={signUp.sent_at} wait_s={resend_after_s} onResend={resend} />
      </form>
      <MailboxLink />
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

function FirstKey({ value }: { value: string }) {
  const [, navigate] = useLocation()
  const next = nextPath(useSearch())
  const { title, subtitle, label, keep, later, stored } = texts.key
  const goOn = async () => {
    await readSession()
    navigate(next, { replace: true })
  }
  return (
    <EntryPage title={title} subtitle={subtitle}>
      <SecretOnce label={label} value={value} />
      <p className="mt-4 text-muted">
        {keep} {later}
      </p>
      <Button look="primary" className="mt-6" onClick={() => void goOn()}>
        {stored}
      </Button>
    </EntryPage>
  )
}
