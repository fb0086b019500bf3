// Log-in page. It loads no library of components, so that it appears at once. It waits for the
// facts of the service, which are read beside the session, so that no button appears later than the
// form.
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { Button } from '../components/button.tsx'
import { PartPlace } from '../components/part-place.tsx'
import { CurrentPasswordField, EmailField, EntryForm } from '../components/sign-in/entry-form.tsx'
import { EntryPage } from '../components/sign-in/entry-page.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { lazyPart } from '../lib/parts/lazy-part.ts'
import { nextPath, routes, withNext } from '../lib/routes.ts'
import { readSession, startSession } from '../lib/session.ts'
import { useServiceFacts } from '../lib/sign-in/service-facts.ts'
import { useSubmit } from '../lib/use-submit.ts'
import { logInTexts as texts } from '../messages/log-in-texts.ts'

const SsoButtons = lazyPart(() => import('../components/sign-in/sso-buttons.tsx'))
const PasskeyButton = lazyPart(() => import('../components/sign-in/passkey-button.tsx'))

export default function LogInPage() {
  const facts = useServiceFacts()
  if (facts.state === 'reading') return <Skeleton />
  const { sso_providers = [], sign_up = 'open' } = facts.state === 'read' ? facts.signUp : {}
  return (
    <PartPlace skeleton={<Skeleton />}>
      <LogIn hasProviders={sso_providers.length > 0} isOpen={sign_up === 'open'} />
    </PartPlace>
  )
}

type Props = {
  hasProviders: boolean
  /** Whether anybody may sign up. */
  isOpen: boolean
}

function LogIn({ hasProviders, isOpen }: Props) {
  const [isCookieKept, setCookieKept] = useState(true)
  const search = useSearch()
  const next = nextPath(search)
  const ssoError = new URLSearchParams(search).get('sso_error')
  const names = ['email', 'password'] as const
  const { isBusy, error, problemOf, onSubmit } = useSubmit(names, async (textOf) => {
    const body = { email: textOf('email'), password: textOf('password') }
    setCookieKept(await startSession(body))
  })
  const readKeptSession = async () => setCookieKept(await readSession())
  return (
    <EntryPage title={texts.title} subtitle={texts.subtitle}>
      {(hasProviders || ssoError !== null) && (
        <SsoButtons next={next} failed={ssoError} showsTerms />
      )}
      <EntryForm error={error} onSubmit={onSubmit}>
        {!isCookieKept && (
          <p role="alert" className="rounded-lg bg-warn-soft px-4 py-3 text-warn">
            {texts.noCookie}
          </p>
        )}
        <EmailField label={texts.email} problem={problemOf('email')} />
        <CurrentPasswordField label={texts.password} problem={problemOf('password')} />
        <Button type="submit" look="primary" busy={isBusy} className="mt-2">
          {isBusy ? texts.submitting : texts.submit}
        </Button>
        <Link
          href={routes.forgottenPassword}
          className="self-start text-sm text-accent-ink underline"
        >
          {texts.forgotten}
        </Link>
      </EntryForm>
      <div className="mt-6 border-t border-line pt-6">
        <PartPlace skeleton={<div className="h-9" />}>
          <PasskeyButton onLoggedIn={readKeptSession} />
        </PartPlace>
      </div>
      {isOpen && (
        <p className="mt-6 text-sm text-muted">
          {texts.noAccount}{' '}
          <Link href={withNext(routes.signUp, next)} className="text-accent-ink underline">
            {texts.signUp}
          </Link>
        </p>
      )}
      <p className="mt-2 text-sm text-muted">
        {texts.isNew}{' '}
        <a href="/docs" className="text-accent-ink underline">
          {texts.docs}
        </a>
      </p>
    </EntryPage>
  )
}
