// Command palette: a combobox over pages, actions and domains.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { inputClass } from '../components/field.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { Dialog } from '../components/popups/dialog.tsx'
import { useDomains } from '../lib/domains/domain-queries.ts'
import { logOutHere } from '../lib/log-out.ts'
import { createKeyPath, type Route, routes, searchPath } from '../lib/routes.ts'
import { useIsSandbox } from '../lib/sign-in/service-facts.ts'
import { applyTheme, themes, useTheme } from '../lib/theme.ts'
import { common } from '../messages/common-texts.ts'
import { paletteTexts as texts } from '../messages/palette-texts.ts'
import type { Place } from './pages.ts'

type Command = { key: string; label: string; group: string; icon: IconName; run: () => void }

const most_domains = 8
/** Pages whose entry names the action that they are for. */
const actionPages: readonly Route[] = [routes.buy, routes.connect]

type Typed = { places: readonly Place[]; typed: string; onTopUp: () => void }

function useCommands({ places, typed, onTopUp }: Typed): Command[] {
  const domains = useDomains()
  const actions = useActions(onTopUp)
  const [, navigate] = useLocation()
  const wanted = typed.trim().toLowerCase()
  // "buy quiet harbor" is a command to search, and so comes first.
  const name = typed.trim().replace(/^buy\s+(a\s+domain\s*)?/i, '')
  const opened = places.map(({ path, label, icon }): Command => {
    const group = actionPages.includes(path) ? texts.actions : texts.pages
    return { key: path, label, icon, group, run: () => navigate(path) }
  })
  const isPage = ({ group }: Command) => group === texts.pages
  const all = [...opened.filter(isPage), ...opened.filter((one) => !isPage(one)), ...actions]
  const names = wanted === '' ? [] : (domains.data ?? [])
  const found = names.filter(({ domain_unicode }) => domain_unicode.includes(wanted))
  const search = action('search', {
    label: texts.search(name),
    icon: 'search',
    run: () => navigate(searchPath(name)),
  })
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
    ...(name === '' ? [] : [search]),
  ]
}

function useActions(onTopUp: () => void): Command[] {
  const [, navigate] = useLocation()
  const isSandbox = useIsSandbox()
  const theme = useTheme()
  const going = (label: string, icon: IconName, path: string) =>
    action(`go ${path}`, { label, icon, run: () => navigate(path) })
  return [
    // Only the sandbox has simulated money; the balance of production has no form for it.
    ...(isSandbox ? [action('top-up', { label: texts.topUp, icon: 'wallet', run: onTopUp })] : []),
    going(texts.createKey, 'key', createKeyPath),
    going(texts.transferIn, 'arrow', routes.transferIn),
    ...themes
      .filter((one) => one !== theme)
      .map((one) =>
        action(`theme ${one}`, {
          label: texts.themes[one],
          icon: 'theme',
          run: () => applyTheme(one),
        }),
      ),
    action('log-out', { label: common.logOut, icon: 'user', run: () => void logOutHere() }),
  ]
}

function action(key: string, rest: Pick<Command, 'label' | 'icon' | 'run'>): Command {
  return { key, group: texts.actions, ...rest }
}

type Props = { places: readonly Place[]; onTopUp: () => void; onClose: () => void }

export default function CommandPalette({ places, onTopUp, onClose }: Props) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const commands = useCommands({ places, typed, onTopUp })
  const at = Math.min(active, commands.length - 1)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at])
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
      <div
        id={`${id}-list`}
        ref={list}
        role="listbox"
        aria-label={texts.title}
        className="-mx-2 -mb-3 h-96 overflow-y-auto px-2"
      >
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
