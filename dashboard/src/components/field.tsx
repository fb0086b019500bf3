// Form fields: label, control, and the message of a 422 for its name, joined for screen readers.
import { type ComponentProps, type ReactNode, useId } from 'react'

const controlClass =
  'w-full rounded-md border border-edge bg-surface px-3 text-ink shadow-card ' +
  'placeholder:text-muted aria-invalid:border-bad'
export const inputClass = `${controlClass} h-9`

type Labels = { label: string; problem?: string | undefined; hint?: string }
type ControlProps = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Wraps any control, which gets the properties that join it with its label and messages. */
export function Labelled({
  label,
  problem,
  hint,
  children,
}: Labels & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem !== undefined || undefined,
        'aria-describedby': described || undefined,
      })}
      {problem && (
        <p id={`${id}-problem`} className="text-sm break-words whitespace-pre-line text-bad">
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

type FieldProps = ComponentProps<'input'> &
  Labels & {
    /** A button at the end of the input, inside it. */
    after?: ReactNode
  }

export function Field({ label, problem, hint, after, ...rest }: FieldProps) {
  return (
    <Labelled {...{ label, problem }} {...(hint && { hint })}>
      {(control) => (
        <span className="relative block">
          <input {...rest} {...control} className={`${inputClass} ${after ? 'pr-16' : ''}`} />
          {after && <span className="absolute inset-y-1 right-1">{after}</span>}
        </span>
      )}
    </Labelled>
  )
}

type TextAreaProps = ComponentProps<'textarea'> & Labels

/** A field for several lines, such as host names. */
export function TextArea({ label, problem, hint, ...rest }: TextAreaProps) {
  return (
    <Labelled {...{ label, problem }} {...(hint && { hint })}>
      {(control) => (
        <textarea
          rows={4}
          spellCheck={false}
          {...rest}
          {...control}
          className={`${controlClass} py-2 font-mono text-sm`}
        />
      )}
    </Labelled>
  )
}
