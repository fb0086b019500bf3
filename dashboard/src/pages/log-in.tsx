// Log-in page. It loads no library of components, so that it is there at once.
import { type FormEvent, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { ApiError } from '../lib/api.ts'
import { startSession } from '../lib/session.ts'
import { logInTexts as texts } from '../messages/log-in.ts'

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

type Attempt = { state: 'idle' | 'sending' | 'no_cookie' } | { state: 'failed'; error: unknown }

export default function LogInPage() {
  const [attempt, setAttempt] = useState<Attempt>({ state: 'idle' })
  const isSending = attempt.state === 'sending'
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    const form = new FormData(event.currentTarget)
    setAttempt({ state: 'sending' })
    try {
      const email = textOf(form, 'email')
      const isKept = await startSession({ email, password: textOf(form, 'password') })
      if (!isKept) setAttempt({ state: 'no_cookie' })
    } catch (error) {
      setAttempt({ state: 'failed', error })
    }
  }
  const error = attempt.state === 'failed' ? attempt.error : null
  const fields = error instanceof ApiError ? error.failure.fields : {}
  const isOfField = 'email' in fields || 'password' in fields
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center px-5 py-10">
      <div
        className="mb-6 grid size-10 place-items-center rounded-xl bg-accent text-lg font-bold text-on-accent"
        aria-hidden="true"
      >
        A
      </div>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
        {error !== null && !isOfField && <ErrorNotice error={error} />}
        {attempt.state === 'no_cookie' && (
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
          problem={fields.email}
        />
        <Field
          label={texts.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={fields.password}
        />
        <Button type="submit" look="primary" busy={isSending} className="mt-2">
          {isSending ? texts.submitting : texts.submit}
        </Button>
        <a href="/password/forgotten" className="self-start text-sm text-accent-ink underline">
          {texts.forgotten}
        </a>
      </form>
    </main>
  )
}
