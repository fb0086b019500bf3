// Tabs: the parts of one object, which are shown one at a time.
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab = { value: string; label: string; content: ReactNode }
type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly Tab[]
}

export function Tabs({ label, value, onChange, tabs }: Props) {
  return (
    <Base.Root value={value} onValueChange={(chosen) => onChange(String(chosen))}>
      <Base.List
        aria-label={label}
        className="mb-5 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
