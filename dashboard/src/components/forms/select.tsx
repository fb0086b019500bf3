// Select: the browser's own, which is best on phones, and needs no script.
import { Icon } from '../icon.tsx'

type Props<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

export function Select<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <span className="relative inline-flex min-w-0 max-sm:grow">
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
        className="h-9 min-w-0 grow appearance-none text-ellipsis rounded-md border border-edge bg-surface py-0 pr-9 pl-3 text-ink shadow-card hover:bg-sunken"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        name="chevron"
        className="pointer-events-none absolute top-3 right-3 size-3.5 text-muted"
      />
    </span>
  )
}

/** A select at the end of a line, with its label in view. */
export function SelectRow<T extends string>(props: Props<T>) {
  return (
    <div className="flex items-center justify-between gap-4">
      <span aria-hidden="true" className="whitespace-nowrap text-muted">
        {props.label}
      </span>
      <Select {...props} />
    </div>
  )
}
