// Security of the account: passkeys, linked identities, password and sessions.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { NewPasswordField } from '../../components/sign-in/new-password-field.tsx'
import { answerOf } from '../../lib/api.ts'
import { useServiceFacts } from '../../lib/sign-in/service-facts.ts'
import { showToast } from '../../lib/toasts.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { accountTexts, securityTexts } from '../../messages/account-texts.ts'
import { AccountSections } from './account-sections.tsx'
import { Identities } from './identity-list.tsx'
import { Passkeys } from './passkey-list.tsx'
import { Sessions, sessionsKey } from './session-list.tsx'

export default function SecurityPage() {
  const [changes, setChanges] = useState(0)
  return (
    <>
      <PageHeader title={securityTexts.title} subtitle={securityTexts.subtitle} />
      <AccountSections />
      <div className="grid max-w-3xl gap-5">
        <Passkeys />
        <Identities />
        <Password key={changes} onChanged={() => setChanges(changes + 1)} />
        <Sessions key={`sessions-${changes}`} />
      </div>
    </>
  )
}

const texts = securityTexts.password

/** The form is mounted again after a change, so that its fields are empty. */
function Password({ onChanged }: { onChanged: () => void }) {
  const facts = useServiceFacts()
  const queries = useQueryClient()
  const names = ['current_password', 'new_password'] as const
  const { isBusy, error, problemOf, onSubmit } = useSubmit(names, async (textOf) => {
    const current_password = textOf('current_password')
    const new_password = textOf('new_password')
    const body = { new_password, ...(current_password !== '' && { current_password }) }
    const { sessions_ended } = await answerOf(changePassword({ body }))
    showToast({ title: texts.done, description: texts.ended(sessions_ended) })
    await queries.invalidateQueries({ queryKey: sessionsKey })
    onChanged()
  })
  if (facts.state === 'failed') return <ErrorNotice error={facts.error} />
  const { min, max } = facts.state === 'read' ? facts.signUp.password : { min: 8, max: 256 }
  return (
    <Card title={texts.title}>
      <form
        onSubmit={onSubmit}
        noValidate
        className="flex flex-col items-start gap-4 p-5 [&>div]:w-full"
      >
        {error !== null && <ErrorNotice error={error} />}
        <Field
          label={texts.current}
          name="current_password"
          type="password"
          autoComplete="current-password"
          hint={accountTexts.email.passwordHint}
          problem={problemOf('current_password')}
        />
        <NewPasswordField
          name="new_password"
          label={texts.next}
          min={min}
          max={max}
          problem={problemOf('new_password')}
        />
        <p className="text-sm text-muted">{texts.ends}</p>
        <Button type="submit" look="primary" busy={isBusy}>
          {texts.submit}
        </Button>
      </form>
    </Card>
  )
}
