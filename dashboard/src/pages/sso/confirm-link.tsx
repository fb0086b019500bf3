// Form that confirms, by password or mailed code, that the user owns the account with the address
// of an identity (409 sso_link_needed).
import { type ReactNode, useState } from 'react'
import { type DashboardRegisterResponse, exchangeSsoTicket, mailSsoLinkCode } from 'sdk'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { CodeForm } from '../../components/sign-in/code-form.tsx'
import { CurrentPasswordField, EntryForm } from '../../components/sign-in/entry-form.tsx'
import { EntryPage } from '../../components/sign-in/entry-page.tsx'
import { answerOf } from '../../lib/api.ts'
import { routes, withNext } from '../../lib/routes.ts'
import { useServiceFacts } from '../../lib/sign-in/service-facts.ts'
import { inWords, type PendingLink } from '../../lib/sign-in/sso.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { ssoTexts } from '../../messages/sign-in/sso-texts.ts'

const texts = ssoTexts.link

type Linked = (reply: DashboardRegisterResponse) => Promise<void>
type Props = { link: PendingLink; onLinked: Linked; other: ReactNode }

type PageProps = Omit<Props, 'other'> & { /** The path to open after the log-in. */ next: string }

export default function ConfirmLink({ link, next, onLinked }: PageProps) {
  const facts = useServiceFacts()
  const names = facts.state === 'read' ? facts.signUp.sso_provider_names : {}
  const hasPassword = link.methods.includes('password')
  const [byCode, setByCode] = useState(!hasPassword)
  const other = hasPassword && (
    <Button look="ghost" onClick={() => setByCode(!byCode)}>
      {byCode ? texts.passwordInstead : texts.codeInstead}
    </Button>
  )
  const Way = byCode ? WithCode : WithPassword
  return (
    <EntryPage
      key="link"
      title={texts.title}
      subtitle={texts.text(link.email, names[link.provider] ?? link.provider)}
    >
      <Way link={link} onLinked={onLinked} other={other} />
      <p className="mt-6 text-sm">
        <Link href={withNext(routes.logIn, next)} className="text-accent-ink underline">
          {texts.notMine}
        </Link>
      </p>
    </EntryPage>
  )
}

function WithPassword({ link: { ticket, email }, onLinked, other }: Props) {
  const { isBusy, error, problemOf, onSubmit } = useSubmit(['password'], async (textOf) => {
    const body = { ticket, password: textOf('password') }
    await onLinked(await answerOf(exchangeSsoTicket({ body })))
  })
  return (
    <EntryForm error={inWords(error)} onSubmit={onSubmit}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <CurrentPasswordField label={texts.password} problem={problemOf('password')} />
      <Button type="submit" look="primary" busy={isBusy}>
        {isBusy ? texts.submitting : texts.submit}
      </Button>
      {other}
    </EntryForm>
  )
}

function WithCode({ link, onLinked, other }: Props) {
  const { ticket, email } = link
  const [sent_at, setSentAt] = useState<number | null>(null)
  const send = async () => {
    await answerOf(mailSsoLinkCode({ body: { ticket } }))
    setSentAt(Date.now())
  }
  const enter = async (code: string) =>
    onLinked(await answerOf(exchangeSsoTicket({ body: { ticket, code } })))
  const { isBusy, error, onSubmit } = useSubmit([], send)
  if (sent_at !== null)
    return (
      <>
        <p className="mb-4">{texts.sentTo(email)}</p>
        <CodeForm {...{ texts, sent_at, wordsOf: inWords }} onCode={enter} onResend={send}>
          {other}
        </CodeForm>
      </>
    )
  return (
    <EntryForm error={inWords(error)} onSubmit={onSubmit}>
      <p>{texts.codeText(email)}</p>
      <Button type="submit" look="primary" busy={isBusy}>
        {texts.sendCode}
      </Button>
      {other}
    </EntryForm>
  )
}
