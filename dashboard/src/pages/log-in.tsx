// Log-in page. It loads no library of components, so that it is there at once.
import { lazy, Suspense, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { EntryPage } from '../components/sign-in/entry-page.tsx'
import { nextPath, routes, withNext } from '../lib/routes.ts'
import { readSession, startSession } from '../lib/session.ts'
import { useSubmit } from '../lib/use-submit.ts'
import { logInTexts as texts } from '../messages/log-in.ts'

const PasskeyButton = lazy(() => import('../components/sign-in/passkey-button.tsx'))

export default function LogInPage() {
  const [isCookieKept, setCookieKept] = useState(true)
  const next = nextPath(useSearch())
  const names = ['email', 'password'] as const
  const { isBusy, error, problemOf, onSubmit } = useSubmit(names, async (textOf) => {
    const body = { email: textOf('email'), password: textOf('password') }
    setCookieKept(await startSession(body))
  })
  const readKeptSession = async () => setCookieKept(await readSession())
  return (
    <EntryPage title={texts.title} subtitle={texts.subtitle}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        {error !== null && <ErrorNotice error={error} />}
        {!isCookieKept && (
          <p role="alert" className="rounded-lg bg-warn-soft px-4 py-3 text-warn">
            {texts.noCookie}
          </p>
        )}
        <Field
          label={texts.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          problem={problemOf('email')}
        />
        <Field
          label={texts.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={problemOf('password')}
        />
        <Button type="submit" look="primary" busy={isBusy} className="mt-2">
          {isBusy ? texts.submitting : texts.submit}
        </Button>
        <Link
          href={routes.forgottenPassword}
          className="self-start text-sm text-accent-ink underline"
        >
          {texts.forgotten}
        </Link>
      </form>
      <div className="mt-6 border-t border-line pt-6">
        <Suspense fallback={<div className="h-9" />}>
          <PasskeyButton onLoggedIn={readKeptSession} />
        </Suspense>
      </div>
      <p className="mt-6 text-sm text-muted">
        {texts.noAccount}{' '}
        <Link href={withNext(routes.signUp, next)} className="text-accent-ink underline">
          {texts.signUp}
        </Link>
      </p>
    </EntryPage>
  )
}
