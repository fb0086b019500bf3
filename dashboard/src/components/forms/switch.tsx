// Switch: a checkbox for a setting that takes effect at once.
type Props = {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
}

export function Switch({ label, checked, disabled, onChange }: Props) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      checked={checked}
      aria-checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
      className="relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunken align-middle transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-edge before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent disabled:opacity-60"
    />
  )
}
