// Form of a mailed code: a wrong code is cleared, and another one can be requested.
import { type ReactNode, useState } from 'react'
import { useServiceFacts } from '../../lib/sign-in/service-facts.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../button.tsx'
import { CodeField } from './code-field.tsx'
import { EntryForm } from './entry-form.tsx'
import { MailboxLink } from './mailbox-link.tsx'
import { ResendButton } from './resend-button.tsx'

type Props = {
  texts: { submit: string; submitting: string }
  /** The time at which the last code was sent, in milliseconds. */
  sent_at: number
  /** Rejects if the code is refused. */
  onCode: (code: string) => Promise<void>
  onResend: () => Promise<void>
  /** Puts an error into words for people, if the words of the API are not. */
  wordsOf?: (error: unknown) => unknown
  children?: ReactNode
}

export function CodeForm({ texts, sent_at, onCode, onResend, wordsOf, children }: Props) {
  const facts = useServiceFacts()
  const rules = facts.state === 'read' ? facts.signUp.code : { length: 6, resend_after_s: 60 }
  const [code, setCode] = useState('')
  const { isBusy, error, onSubmit, setError } = useSubmit([], async () => {
    if (code.length < rules.length) return
    try {
      await onCode(code)
    } catch (failure) {
      setCode('')
      throw failure
    }
  })
  const resend = async () => {
    await onResend()
    setError(null)
  }
  return (
    <>
      <EntryForm error={wordsOf ? wordsOf(error) : error} onSubmit={onSubmit}>
        <CodeField
          name="code"
          length={rules.length}
          value={code}
          isRefused={error !== null}
          onChange={setCode}
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {isBusy ? texts.submitting : texts.submit}
        </Button>
        <ResendButton sent_at={sent_at} wait_s={rules.resend_after_s} onResend={resend} />
        {children}
      </EntryForm>
      <MailboxLink />
    </>
  )
}
