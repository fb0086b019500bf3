// Field of a new password: its rules, encouragement to choose a longer one (NIST SP 800-63B-4,
// 3.1.1.2), and a button that shows it.
import { useState } from 'react'
import { passwordTexts as texts } from '../../messages/sign-in/password-texts.ts'
import { Field } from '../field.tsx'

const good_length = 15

type Props = {
  name: string
  label?: string
  min: number
  max: number
  problem: string | undefined
}

export function NewPasswordField({ name, label = texts.label, min, max, problem }: Props) {
  const [length, setLength] = useState(0)
  const [isShown, setShown] = useState(false)
  const show = (
    <button
      type="button"
      aria-pressed={isShown}
      aria-label={texts.show}
      className="h-7 rounded px-2 text-sm font-medium text-muted hover:bg-sunken hover:text-ink"
      onClick={() => setShown(!isShown)}
    >
      {isShown ? texts.hide : texts.reveal}
    </button>
  )
  return (
    <div>
      <Field
        label={label}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="off"
        spellCheck={false}
        required
        minLength={min}
        maxLength={max}
        problem={problem}
        hint={hintOf(length, min)}
        after={show}
        onChange={(event) => setLength([...event.currentTarget.value].length)}
      />
      <Meter length={length} min={min} />
    </div>
  )
}

function hintOf(length: number, min: number): string {
  if (length < min) return texts.rules(min, good_length)
  return length < good_length ? texts.longer(good_length) : texts.long
}

/** The meter is decorative, since the hint has the words. */
function Meter({ length, min }: { length: number; min: number }) {
  const tone = length < min ? 'bg-edge' : length < good_length ? 'bg-warn' : 'bg-good'
  // A length that is accepted but not recommended fills at most half of the meter.
  const share = length < good_length ? length / good_length / 2 : 1
  const width = `${share * 100}%`
  return (
    <div aria-hidden="true" className="mt-2 h-1 overflow-hidden rounded-full bg-line">
      <div className={`h-full rounded-full transition-[width] ${tone}`} style={{ width }} />
    </div>
  )
}
