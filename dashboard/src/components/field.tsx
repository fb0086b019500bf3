// Form field: label, input, and the message of a 422 for its name, joined for screen readers.
import { type ComponentProps, type ReactNode, useId } from 'react'

export const inputClass =
  'w-full h-9 rounded-md border border-edge bg-surface px-3 text-ink shadow-card ' +
  'placeholder:text-muted aria-invalid:border-bad'

type Props = ComponentProps<'input'> & {
  label: string
  problem?: string | undefined
  hint?: string
  /** Within the input, at its end: a button. */
  after?: ReactNode
}

export function Field({ label, problem, hint, after, ...rest }: Props) {
  const id = useId()
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <span className="relative block">
        <input
          {...rest}
          id={id}
          className={`${inputClass} ${after ? 'pr-16' : ''}`}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={described || undefined}
        />
        {after && <span className="absolute inset-y-1 right-1">{after}</span>}
      </span>
      {problem && (
        <p id={`${id}-problem`} className="text-sm text-bad">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
