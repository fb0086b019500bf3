// Radio buttons that look like chips, for one of a few short choices.
import { useId } from 'react'

type Props<T extends string> = {
  legend: string
  value: T | null
  choices: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

export function RadioChips<T extends string>({ legend, value, choices, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="inline-flex h-9 cursor-pointer items-center rounded-full border border-edge bg-surface px-4 font-medium tabular-nums has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
