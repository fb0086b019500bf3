// Sign-up, first step: the account's facts and password. The response is the same for an address
// that has an account, so the page always leads to the code.
import { signUp } from 'sdk'
import { Link, useLocation, useSearch } from 'wouter'
import { Button, buttonClass } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { EmailField, EntryForm } from '../components/sign-in/entry-form.tsx'
import { EntryPage } from '../components/sign-in/entry-page.tsx'
import { NewPasswordField } from '../components/sign-in/new-password-field.tsx'
import SsoButtons from '../components/sign-in/sso-buttons.tsx'
import { Terms } from '../components/sign-in/terms.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { answerOf } from '../lib/api.ts'
import { nextPath, routes, withNext } from '../lib/routes.ts'
import { keepSignUp } from '../lib/sign-in/open-sign-up.ts'
import { useServiceFacts } from '../lib/sign-in/service-facts.ts'
import { useSubmit } from '../lib/use-submit.ts'
import { signUpTexts as texts } from '../messages/sign-up-texts.ts'

export default function SignUpPage() {
  const next = nextPath(useSearch())
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
      <SsoButtons next={next} />
      <Form rules={rules} next={next} />
      <LogInInstead next={next} />
    </EntryPage>
  )
}

type Rules = Extract<ReturnType<typeof useServiceFacts>, { state: 'read' }>['signUp']

function Form({ rules, next }: { rules: Rules; next: string }) {
  const [, navigate] = useLocation()
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
    <EntryForm error={error} onSubmit={onSubmit}>
      <EmailField label={texts.email} problem={problemOf('email')} />
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
    </EntryForm>
  )
}

function LogInInstead({ next }: { next: string }) {
  return (
    <p className="mt-6 text-sm text-muted">
      {texts.hasAccount}{' '}
      <Link href={withNext(routes.logIn, next)} className="text-accent-ink underline">
        {texts.logIn}
      </Link>
    </p>
  )
}
