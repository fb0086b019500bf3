// Verification of a new email address by its mailed link, in a session of the same account. Only a
// click uses the link, because programs open links of mails, too.
import { useState } from 'react'
import { verifyEmail } from 'sdk'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'
import { noteAccount } from '../../lib/session.ts'
import { useFragment } from '../../lib/sign-in/fragment.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { accountTexts } from '../../messages/account-texts.ts'

const texts = accountTexts.verifyEmail

export default function VerifyEmailPage() {
  const { email } = useAccount()
  const link = useFragment()
  const token = link.get('token')
  const [isDone, setDone] = useState(false)
  const { isBusy, error, onSubmit } = useSubmit([], async () => {
    if (token === null) return
    noteAccount(await answerOf(verifyEmail({ body: { token } })))
    setDone(true)
  })
  const toAccount = (
    <Link href={routes.account} className={buttonClass(isDone ? 'primary' : 'secondary')}>
      {texts.toAccount}
    </Link>
  )
  if (token === null)
    return (
      <>
        <PageHeader title={texts.missing} subtitle={texts.missingText} />
        {toAccount}
      </>
    )
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={
          isDone ? null : <span className="break-words">{texts.text(link.get('email'))}</span>
        }
      />
      {isDone ? (
        <>
          <p role="status" className="mb-4">
            {texts.done(email)}
          </p>
          {toAccount}
        </>
      ) : (
        <form onSubmit={onSubmit} className="flex max-w-lg flex-col items-start gap-4">
          {error !== null && <ErrorNotice error={error} />}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" busy={isBusy}>
              {texts.submit}
            </Button>
            {error !== null && toAccount}
          </div>
        </form>
      )}
    </>
  )
}
