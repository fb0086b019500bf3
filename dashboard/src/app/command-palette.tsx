// Command palette: a combobox over pages, domains that are loaded, and actions.
import { type KeyboardEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { inputClass } from '../components/field.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { Dialog } from '../components/popups/dialog.tsx'
import { useDomains } from '../lib/domains/domain-queries.ts'
import { routes } from '../lib/routes.ts'
import { endSession } from '../lib/session.ts'
import { common } from '../messages/common.ts'
import { pages } from './pages.ts'

type Command = { key: string; label: string; group: string; icon: IconName; run: () => void }

const texts = common.palette
const most_domains = 8

function useCommands(typed: string): Command[] {
  const [, navigate] = useLocation()
  const domains = useDomains()
  const wanted = typed.trim().toLowerCase()
  const all: Command[] = [
    ...pages.flatMap(({ nav, path }) =>
      nav ? [{ key: path, ...nav, group: texts.pages, run: () => navigate(path) }] : [],
    ),
    {
      key: 'log-out',
      label: common.logOut,
      icon: 'user',
      group: texts.actions,
      run: () => void endSession(),
    },
  ]
  const names = wanted === '' ? [] : (domains.data ?? [])
  const found = names.filter(({ domain_unicode }) => domain_unicode.includes(wanted))
  return [
    ...all.filter(({ label }) => label.toLowerCase().includes(wanted)),
    ...found.slice(0, most_domains).map(
      ({ domain, domain_unicode }): Command => ({
        key: domain,
        label: domain_unicode,
        icon: 'globe',
        group: texts.domains,
        run: () => navigate(`${routes.domains}?q=${encodeURIComponent(domain_unicode)}`),
      }),
    ),
  ]
}

export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const commands = useCommands(typed)
  const at = Math.min(active, commands.length - 1)
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((at + step + commands.length) % commands.length)
    else if (event.key === 'Enter') run(commands[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog open onClose={onClose} title={texts.title}>
      <input
        role="combobox"
        aria-label={texts.placeholder}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={commands[at] && `${id}-${at}`}
        placeholder={texts.placeholder}
        className={inputClass}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {commands.length === 0 && (
        <p role="status" className="py-6 text-center text-muted">
          {texts.empty}
        </p>
      )}
      <div id={`${id}-list`} role="listbox" aria-label={texts.title}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
          <div
            key={command.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 aria-selected:bg-accent-soft aria-selected:text-accent-ink"
            onPointerMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span className="min-w-0 grow truncate">{command.label}</span>
            <span className="text-xs text-muted">{command.group}</span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}
