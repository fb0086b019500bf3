// Field of a mailed code: a digit in each slot. A paste fills all of them, and the last one submits
// the form.
import { OTPField } from '@base-ui/react/otp-field'
import { useId } from 'react'
import { useFocus } from '../../lib/use-focus.ts'
import { codeTexts as texts } from '../../messages/sign-in/code-texts.ts'

type Props = {
  name: string
  length: number
  value: string
  /** Whether the code was refused; the notice has the words. */
  isRefused: boolean
  onChange: (value: string) => void
  /** Whether the last digit submits the form. */
  autoSubmit?: boolean
}

export function CodeField({ name, length, value, isRefused, onChange, autoSubmit = true }: Props) {
  const id = useId()
  const first = useFocus<HTMLInputElement>()
  const slots = Array.from({ length }, (_, at) => at + 1)
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {texts.label(length)}
      </label>
      <OTPField.Root
        id={id}
        name={name}
        length={length}
        value={value}
        onValueChange={onChange}
        autoSubmit={autoSubmit}
        required
        className="flex gap-2"
      >
        {slots.map((slot) => (
          <OTPField.Input
            key={slot}
            ref={slot === 1 ? first : undefined}
            aria-label={slot === 1 ? undefined : texts.digit(slot, length)}
            aria-invalid={isRefused || undefined}
            className="h-12 w-full min-w-0 max-w-12 rounded-md border border-edge bg-surface text-center text-lg font-semibold tabular-nums shadow-card aria-invalid:border-bad"
          />
        ))}
      </OTPField.Root>
    </div>
  )
}
