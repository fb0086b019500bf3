// Menu of actions and choices behind a button.
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { itemClass, popupClass, usePopupContainer } from './popups.tsx'

type Props = {
  label: string
  trigger: ReactNode
  className?: string
  /** Whether the menu begins open, for one that was loaded by the click that opens it. */
  defaultOpen?: boolean
  children: ReactNode
}

export function Menu({ label, trigger, className, defaultOpen = false, children }: Props) {
  const container = usePopupContainer()
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger aria-label={label} className={className}>
        {trigger}
      </Base.Trigger>
      <Base.Portal container={container}>
        <Base.Positioner sideOffset={6} align="end" className="z-40 outline-none">
          <Base.Popup className={`${popupClass} min-w-52 p-1`}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Base.Item className={itemClass} onClick={onSelect}>
      {children}
    </Base.Item>
  )
}

type Choices<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

export function MenuChoices<T extends string>({ label, value, options, onChange }: Choices<T>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-xs text-muted">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={itemClass}>
            <span className="w-4">
              <Base.RadioItemIndicator>
                <Icon name="check" />
              </Base.RadioItemIndicator>
            </span>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />
}
