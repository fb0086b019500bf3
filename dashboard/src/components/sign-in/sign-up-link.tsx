// The page of a sign-up's mailed link: the facts of the sign-up, and the button that uses the link.
// Loading the page does not use it, because programs open links of mails, too.
import { useEffect, useState } from 'react'
import {
  type DashboardRegisterResponse,
  type DashboardSignupLinkResponse,
  readSignUpLink,
  verifySignUp,
} from 'sdk'
import { Link } from 'wouter'
import { answerOf } from '../../lib/api.ts'
import { formatAgo } from '../../lib/format.ts'
import { routes } from '../../lib/routes.ts'
import { browserOf } from '../../lib/sign-in/user-agent.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { signUpTexts } from '../../messages/sign-up-texts.ts'
import { Button, buttonClass } from '../button.tsx'
import { ErrorNotice } from '../notice.tsx'
import { Skeleton } from '../skeleton.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryPage } from './entry-page.tsx'

const texts = signUpTexts.link

type Props = { token: string; onCreated: (made: DashboardRegisterResponse) => Promise<void> }

export function SignUpLink({ token, onCreated }: Props) {
  const [begun, setBegun] = useState<DashboardSignupLinkResponse | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [isForeign, setForeign] = useState(false)
  useEffect(() => {
    answerOf(readSignUpLink({ body: { token } })).then(setBegun, setFailure)
  }, [token])
  if (isForeign)
    return (
      <EntryPage key="foreign" title={texts.notMeTitle} subtitle={texts.notMeText}>
        <OtherWays />
      </EntryPage>
    )
  return (
    <EntryPage key="link" title={texts.title} subtitle={texts.text}>
      {failure !== null && (
        <>
          <ErrorNotice error={failure} />
          <div className="mt-4">
            <OtherWays />
          </div>
        </>
      )}
      {failure === null && begun === null && <Skeleton />}
      {begun !== null && (
        <Confirm {...{ token, begun, onCreated }} onForeign={() => setForeign(true)} />
      )}
    </EntryPage>
  )
}

type Confirming = Props & { begun: DashboardSignupLinkResponse; onForeign: () => void }

function Confirm({ token, begun, onCreated, onForeign }: Confirming) {
  const { isBusy, error, onSubmit } = useSubmit([], async () =>
    onCreated(await answerOf(verifySignUp({ body: { token } }))),
  )
  return (
    <EntryForm error={error} onSubmit={onSubmit}>
      <Begun {...begun} />
      <p className="rounded-lg bg-warn-soft px-4 py-3 text-warn">{texts.warning}</p>
      <Button type="submit" look="primary" busy={isBusy}>
        {isBusy ? signUpTexts.verify.submitting : texts.submit}
      </Button>
      {error === null ? <Button onClick={onForeign}>{texts.notMe}</Button> : <OtherWays />}
    </EntryForm>
  )
}

function Begun({ email, created_at, address, agent }: DashboardSignupLinkResponse) {
  const known = browserOf(agent)
  // The text itself is never shown, because the client that signed up has chosen it.
  const program = known ? texts.on(known.browser, known.system) : texts.program
  const facts = [
    [texts.email, email],
    [texts.begun, formatAgo(created_at)],
    [texts.from, [program, address].filter(Boolean).join(', ')],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 font-medium break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function OtherWays() {
  return (
    <div className="flex flex-wrap gap-2">
      <Link href={routes.logIn} className={buttonClass()}>
        {signUpTexts.logIn}
      </Link>
      <Link href={routes.signUp} className={buttonClass()}>
        {texts.start}
      </Link>
    </div>
  )
}
