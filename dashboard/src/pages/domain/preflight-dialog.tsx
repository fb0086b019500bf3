// Dialog with the comparison of name servers before they are changed: names and mail that would
// stop working.
import type { NameserverPreflight } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { common } from '../../messages/common-texts.ts'
import { preflightTexts as texts } from '../../messages/dns/preflight-texts.ts'

type Props = {
  /** The result of the comparison, or null if the servers could not be compared. */
  found: NameserverPreflight | null
  onChange: () => void
  /** Changes the name servers once the new ones serve the domain. */
  onWait: () => void
  onClose: () => void
}

export default function PreflightDialog({ found, onChange, onWait, onClose }: Props) {
  return (
    <Dialog open wide onClose={onClose} title={texts.title} description={texts.text}>
      {found ? <Found found={found} /> : <p>{texts.notCompared}</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        {found && <Button onClick={onWait}>{texts.wait}</Button>}
        <Button look="primary" onClick={onChange}>
          {texts.change}
        </Button>
      </div>
    </Dialog>
  )
}

const unknowns: readonly string[] = ['not_asked', 'unseen']

function Found({ found: { nameservers, warnings } }: { found: NameserverPreflight }) {
  const later = warnings.filter(({ code }) => code === 'keep_old')
  const unknown = warnings.filter(({ code }) => unknowns.includes(code))
  const stops = warnings.filter((one) => !later.includes(one) && !unknown.includes(one))
  return (
    <>
      {stops.length > 0 && <List tone="bad" title={texts.stops} warnings={stops} />}
      {unknown.length > 0 && <List tone="warn" title={texts.unknown} warnings={unknown} />}
      <div>
        <h3 className="font-medium">{texts.servers}</h3>
        <ul className="mt-1 text-sm">
          {nameservers.map(({ host, state }) => (
            <li key={host} className="break-words">
              <span className="font-mono">{host}</span> {texts.states[state]}
            </li>
          ))}
        </ul>
      </div>
      {later.map(({ message }) => (
        <p key={message} className="text-sm text-muted">
          {message}
        </p>
      ))}
    </>
  )
}

type ListProps = {
  tone: 'bad' | 'warn'
  title: string
  warnings: NameserverPreflight['warnings']
}

function List({ tone, title, warnings }: ListProps) {
  return (
    <Callout tone={tone} title={title}>
      <ul>
        {warnings.map(({ message }) => (
          <li key={message} className="break-words">
            {message}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
