// Log-in of operators: exchanges a key for a session in a cookie. The page does not keep the key.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { EntryForm } from '../../components/sign-in/entry-form.tsx'
import { EntryPage } from '../../components/sign-in/entry-page.tsx'
import { startOperatorSession } from '../../lib/operator/operator-session.ts'
import { useFocus } from '../../lib/use-focus.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { operatorTexts } from '../../messages/operator/operator-texts.ts'

const texts = operatorTexts.logIn
const names = ['operator_key'] as const

export function OperatorLogIn() {
  const [isCookieKept, setCookieKept] = useState(true)
  const field = useFocus<HTMLInputElement>()
  const { isBusy, error, problemOf, onSubmit } = useSubmit(names, async (textOf) => {
    setCookieKept(await startOperatorSession(textOf('operator_key').trim()))
  })
  return (
    <EntryPage title={texts.title} subtitle={texts.subtitle}>
      <EntryForm error={error} onSubmit={onSubmit}>
        {!isCookieKept && (
          <p role="alert" className="rounded-lg bg-warn-soft px-4 py-3 text-warn">
            {texts.noCookie}
          </p>
        )}
        <Field
          ref={field}
          label={texts.key}
          hint={texts.hint}
          name="operator_key"
          type="password"
          autoComplete="current-password"
          required
          problem={problemOf('operator_key')}
        />
        <Button type="submit" look="primary" busy={isBusy} className="mt-2">
          {isBusy ? texts.submitting : texts.submit}
        </Button>
      </EntryForm>
    </EntryPage>
  )
}
