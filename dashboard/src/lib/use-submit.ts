// Form submission without a library: one request at a time, and the messages of a 422 by the name
// of the field. The browser keeps the values (uncontrolled inputs).
import { type FormEvent, useState } from 'react'
import { ApiError } from './api.ts'

type TextOf = (name: string) => string
type Attempt = { isBusy: boolean; error: unknown }

/** `work` gets the values by name; `names` are the fields that show their own messages. */
export function useSubmit<Name extends string>(
  names: readonly Name[],
  work: (textOf: TextOf) => Promise<unknown>,
) {
  const [{ isBusy, error }, setAttempt] = useState<Attempt>({ isBusy: false, error: null })
  const submit = async (form: HTMLFormElement) => {
    if (isBusy) return
    const data = new FormData(form)
    setAttempt({ isBusy: true, error: null })
    try {
      await work((name) => String(data.get(name) ?? ''))
      setAttempt({ isBusy: false, error: null })
    } catch (failure) {
      setAttempt({ isBusy: false, error: failure })
      // The message is in the document after the next frame.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    }
  }
  const all: Readonly<Record<string, string>> =
    error instanceof ApiError ? error.failure.fields : {}
  const isShownByFields = names.some((name) => name in all)
  return {
    isBusy,
    /** The failure, unless fields show it. */
    error: isShownByFields ? null : error,
    problemOf: (name: Name): string | undefined => all[name],
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      void submit(event.currentTarget)
    },
    setError: (failure: unknown) => setAttempt({ isBusy: false, error: failure }),
  }
}
