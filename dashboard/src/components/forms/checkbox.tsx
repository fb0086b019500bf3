// Checkbox: the browser's own, with a target of 24 px and a mixed state for "some of them".
type Props = {
  label: string
  checked: boolean
  /** Whether some of the choices that the box summarizes are checked, and some are not. */
  mixed?: boolean
  onChange: (on: boolean) => void
}

export function Checkbox({ label, checked, mixed = false, onChange }: Props) {
  return (
    <span className="inline-grid size-6 shrink-0 place-items-center">
      <input
        type="checkbox"
        ref={(input) => {
          if (input) input.indeterminate = mixed
        }}
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="size-4 cursor-pointer accent-accent before:absolute before:-m-1 before:size-6 before:content-['']"
      />
    </span>
  )
}
