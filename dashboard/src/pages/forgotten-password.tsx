// Reset of a forgotten password by a mailed code. The response is the same for an address without
// an account. The link in the same mail leads to a page that works without scripts.
import { useState } from 'react'
import { confirmPasswordReset, requestPasswordReset } from 'sdk'
import { Link } from 'wouter'
import { Button, buttonClass } from '../components/button.tsx'
import { CodeField } from '../components/sign-in/code-field.tsx'
import { EmailField, EntryForm } from '../components/sign-in/entry-form.tsx'
import { EntryPage } from '../components/sign-in/entry-page.tsx'
import { MailboxLink } from '../components/sign-in/mailbox-link.tsx'
import { NewPasswordField } from '../components/sign-in/new-password-field.tsx'
import { ResendButton } from '../components/sign-in/resend-button.tsx'
import { answerOf } from '../lib/api.ts'
import { routes } from '../lib/routes.ts'
import { useServiceFacts } from '../lib/sign-in/service-facts.ts'
import { useSubmit } from '../lib/use-submit.ts'
import { forgottenPasswordTexts as texts } from '../messages/forgotten-password-texts.ts'

type Reset = { id: string; email: string; sent_at: number }

async function requestReset(email: string): Promise<Reset> {
  const asked = await answerOf(requestPasswordReset({ body: { email } }))
  return { id: asked.reset_id, email: asked.email, sent_at: Date.now() }
}

export default function ForgottenPasswordPage() {
  const [reset, setReset] = useState<Reset | null>(null)
  const [isDone, setDone] = useState(false)
  if (isDone)
    return (
      <EntryPage key="done" title={texts.done.title} subtitle={texts.done.text}>
        <Link href={routes.logIn} className={buttonClass('primary')}>
          {texts.done.action}
        </Link>
      </EntryPage>
    )
  return reset === null ? (
    <Address onAsked={setReset} />
  ) : (
    <NewPassword reset={reset} onAsked={setReset} onDone={() => setDone(true)} />
  )
}

type Asking = { onAsked: (reset: Reset) => void }

function Address({ onAsked }: Asking) {
  const { isBusy, error, problemOf, onSubmit } = useSubmit(['email'], async (textOf) =>
    onAsked(await requestReset(textOf('email'))),
  )
  return (
    <EntryPage key="address" title={texts.title} subtitle={texts.subtitle}>
      <EntryForm error={error} onSubmit={onSubmit}>
        <EmailField label={texts.email} problem={problemOf('email')} />
        <Button type="submit" look="primary" busy={isBusy}>
          {isBusy ? texts.submitting : texts.submit}
        </Button>
        <Link href={routes.logIn} className="self-start text-sm text-accent-ink underline">
          {texts.back}
        </Link>
      </EntryForm>
    </EntryPage>
  )
}

function NewPassword({ reset, onAsked, onDone }: Asking & { reset: Reset; onDone: () => void }) {
  const facts = useServiceFacts()
  const rules = facts.state === 'read' ? facts.signUp : null
  const [code, setCode] = useState('')
  const { isBusy, error, problemOf, onSubmit } = useSubmit(['password'], async (textOf) => {
    const body = { reset_id: reset.id, code, password: textOf('password') }
    await answerOf(confirmPasswordReset({ body }))
    onDone()
  })
  return (
    <EntryPage key="code" title={texts.code.title} subtitle={texts.code.sentTo(reset.email)}>
      <EntryForm error={error} onSubmit={onSubmit}>
        <CodeField
          name="code"
          length={rules?.code.length ?? 6}
          value={code}
          isRefused={error !== null}
          onChange={setCode}
          autoSubmit={false}
        />
        <NewPasswordField
          name="password"
          label={texts.code.newPassword}
          min={rules?.password.min ?? 8}
          max={rules?.password.max ?? 256}
          problem={problemOf('password')}
        />
        <p className="text-sm text-muted">{texts.code.ends}</p>
        <Button type="submit" look="primary" busy={isBusy}>
          {isBusy ? texts.code.submitting : texts.code.submit}
        </Button>
        <ResendButton
          sent_at={reset.sent_at}
          wait_s={rules?.code.resend_after_s ?? 60}
          onResend={async () => onAsked(await requestReset(reset.email))}
        />
      </EntryForm>
      <MailboxLink />
    </EntryPage>
  )
}
