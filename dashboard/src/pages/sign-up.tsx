// Sign-up, first step: the account's facts and password. The answer is the same for an address that
// has an account, so the page leads to the code in every case.
import { signUp } from 'sdk'
import { Link, useLocation, useSearch } from 'wouter'
import { Button, buttonClass } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { EntryPage } from '../components/sign-in/entry-page.tsx'
import { NewPasswordField } from '../components/sign-in/new-password-field.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { answerOf } from '../lib/api.ts'
import { nextPath, routes, withNext } from '../lib/routes.ts'
import { keepSignUp } from '../lib/sign-in/open-sign-up.ts'
import { useServiceFacts } from '../lib/sign-in/service-facts.ts'
import { useSubmit } from '../lib/use-submit.ts'
import { signUpTexts as texts } from '../messages/sign-up.ts'

export default function SignUpPage() {
  const facts = useServiceFacts()
  switch (facts.state) {
    case 'reading':
      return (
        <EntryPage title={texts.title}>
          <Skeleton lines={5} />
        </EntryPage>
      )
    case 'failed':
      return (
        <EntryPage title={texts.title}>
          <ErrorNotice error={facts.error} onRetry={() => location.reload()} />
        </EntryPage>
      )
    case 'read':
      break
  }
  const { signUp: rules } = facts
  if (rules.sign_up !== 'open') {
    const { title, text } = texts[rules.sign_up]
    return (
      <EntryPage title={title} subtitle={text}>
        <Link href={routes.logIn} className={buttonClass('primary')}>
          {texts.logIn}
        </Link>
      </EntryPage>
    )
  }
  return (
    <EntryPage title={texts.title} subtitle={texts.subtitle}>
      <Form rules={rules} />
      <LogInInstead />
    </EntryPage>
  )
}

type Rules = Extract<ReturnType<typeof useServiceFacts>, { state: 'read' }>['signUp']

function Form({ rules }: { rules: Rules }) {
  const [, navigate] = useLocation()
  const next = nextPath(useSearch())
  const names = ['email', 'password', 'name', 'company_name'] as const
  const { isBusy, error, problemOf, onSubmit } = useSubmit(names, async (textOf) => {
    const body = {
      email: textOf('email'),
      password: textOf('password'),
      name: textOf('name'),
      company_name: textOf('company_name').trim() || null,
    }
    const { signup_id, email } = await answerOf(signUp({ body }))
    keepSignUp({ id: signup_id, email, sent_at: Date.now() })
    navigate(withNext(routes.verifySignUp, next))
  })
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {error !== null && <ErrorNotice error={error} />}
      <Field
        label={texts.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        problem={problemOf('email')}
      />
      <NewPasswordField name="password" {...rules.password} problem={problemOf('password')} />
      <Field
        label={texts.name}
        name="name"
        autoComplete="name"
        required
        hint={texts.nameHint}
        problem={problemOf('name')}
      />
      <Field
        label={texts.company}
        name="company_name"
        autoComplete="organization"
        problem={problemOf('company_name')}
      />
      <Terms {...rules} />
      <Button type="submit" look="primary" busy={isBusy} className="mt-1">
        {isBusy ? texts.submitting : texts.submit}
      </Button>
    </form>
  )
}

function Terms({ terms_url, privacy_url }: Rules) {
  const { before, terms, between, privacy, after } = texts.terms
  if (terms_url === null) return null
  return (
    <p className="text-sm text-muted">
      {before}
      <OtherPage href={terms_url} text={terms} />
      {privacy_url !== null && (
        <>
          {between}
          <OtherPage href={privacy_url} text={privacy} />
        </>
      )}
      {after}
    </p>
  )
}

function OtherPage({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-accent-ink underline">
      {text}
    </a>
  )
}

function LogInInstead() {
  const next = nextPath(useSearch())
  return (
    <p className="mt-6 text-sm text-muted">
      {texts.hasAccount}{' '}
      <Link href={withNext(routes.logIn, next)} className="text-accent-ink underline">
        {texts.logIn}
      </Link>
    </p>
  )
}
