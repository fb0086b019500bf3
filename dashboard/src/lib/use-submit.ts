// Form submission without a library: one request at a time, and the messages of a 422 by the name
// of the field. The browser keeps the values (uncontrolled inputs).
import { type FormEvent, useState } from 'react'
import { emailProblem } from '../messages/problems/field-problems.ts'
import { ApiError, fieldProblems } from './api.ts'

type TextOf = (name: string) => string
/** `edited` are the fields that were changed since, whose messages are about an earlier value. */
type Attempt = { isBusy: boolean; error: unknown; edited: ReadonlySet<string> }

const untouched: Attempt = { isBusy: false, error: null, edited: new Set() }

/** `work` gets the values by name; `names` are the fields that show their own messages. */
export function useSubmit<Name extends string>(
  names: readonly Name[],
  work: (textOf: TextOf) => Promise<unknown>,
) {
  const [{ isBusy, error, edited }, setAttempt] = useState(untouched)
  const submit = async (form: HTMLFormElement) => {
    if (isBusy) return
    const data = new FormData(form)
    setAttempt({ ...untouched, isBusy: true })
    try {
      await work((name) => String(data.get(name) ?? ''))
      setAttempt(untouched)
    } catch (failure) {
      setAttempt({ ...untouched, error: withEmailProblem(form, failure) })
      form.oninput = ({ target }) => {
        if (!(target instanceof HTMLInputElement)) return
        const { name } = target
        const edit = (last: Attempt) => ({ ...last, edited: new Set(last.edited).add(name) })
        // This waits for React's own listener, which is farther out: a render in between would make
        // a controlled field lose the typed text.
        setTimeout(() => setAttempt(edit))
      }
      // The message is rendered after the next frame.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    }
  }
  const all = fieldProblems(error)
  const isShownByFields = names.some((name) => name in all)
  return {
    isBusy,
    /** The failure, unless fields show it. */
    error: isShownByFields ? null : error,
    problemOf: (name: Name): string | undefined => (edited.has(name) ? undefined : all[name]),
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      void submit(event.currentTarget)
    },
    setError: (failure: unknown) => setAttempt({ ...untouched, error: failure }),
  }
}

/**
 * A schema refuses a short password before the address is checked, so the problem of the address is
 * added here: both are shown at once.
 */
function withEmailProblem(form: HTMLFormElement, error: unknown): unknown {
  const email = form.querySelector<HTMLInputElement>('input[type=email]')
  if (!(error instanceof ApiError) || !email?.validity.typeMismatch) return error
  const { failure } = error
  const isAdded = Object.keys(failure.fields).length > 0 && !(email.name in failure.fields)
  if (!isAdded) return error
  return new ApiError({ ...failure, fields: { ...failure.fields, [email.name]: emailProblem } })
}
