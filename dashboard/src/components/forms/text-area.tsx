// Form field of several lines: label, text area, and the message of a 422 for its name.
import { type ComponentProps, useId } from 'react'

type Props = ComponentProps<'textarea'> & {
  label: string
  problem?: string | undefined
  hint?: string
}

export function TextArea({ label, problem, hint, ...rest }: Props) {
  const id = useId()
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        rows={4}
        spellCheck={false}
        {...rest}
        id={id}
        className="w-full rounded-md border border-edge bg-surface px-3 py-2 font-mono text-sm text-ink shadow-card placeholder:text-muted aria-invalid:border-bad"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={described || undefined}
      />
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
