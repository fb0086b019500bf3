// A select with its label above it, as the fields of a form have.
import { inputClass, Labelled } from '../field.tsx'

type Props = {
  label: string
  problem?: string | undefined
  hint?: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

export function LabelledSelect({ label, problem, hint, value, options, onChange }: Props) {
  return (
    <Labelled {...{ label, problem }} {...(hint && { hint })}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={inputClass}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
