// Form of the pages before the log-in: its fields below the error of the last attempt.
import type { FormEvent, ReactNode } from 'react'
import { useFocus } from '../../lib/use-focus.ts'
import { Field } from '../field.tsx'
import { ErrorNotice } from '../notice.tsx'

type Props = {
  error: unknown
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}

/** The service checks the fields, so that each shows its own message. */
export function EntryForm({ error, onSubmit, children }: Props) {
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {error !== null && <ErrorNotice error={error} />}
      {children}
    </form>
  )
}

/** The first field of its pages. Password managers find the account by this address. */
export function EmailField({ label, problem }: { label: string; problem: string | undefined }) {
  const field = useFocus<HTMLInputElement>()
  return (
    <Field
      ref={field}
      label={label}
      name="email"
      type="email"
      autoComplete="username"
      required
      problem={problem}
    />
  )
}

type PasswordProps = { label: string; name?: string; hint?: string; problem: string | undefined }

export function CurrentPasswordField({ name = 'password', ...rest }: PasswordProps) {
  return <Field {...rest} name={name} type="password" autoComplete="current-password" required />
}
