// One change of several domains: its input, and a result for each domain, with a retry of those
// that failed.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { DomainListEntry } from 'sdk'
import { Button } from '../../components/button.tsx'
import { TextArea } from '../../components/field.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'

import { domainsKey } from '../../lib/domains/domain-queries.ts'
import { countResults, useBulk } from '../../lib/domains/use-bulk.ts'
import { confirmedOnce } from '../../lib/sign-in/confirmed.ts'
import { bulkTexts as texts } from '../../messages/bulk-texts.ts'
import { type BulkActionName, changeOne } from './bulk-actions.ts'
import { BulkRenewal } from './bulk-renewal.tsx'
import { After, BulkResults, Buttons, failedIn, Progress } from './bulk-results.tsx'

type Props = { action: BulkActionName; domains: readonly DomainListEntry[]; onClose: () => void }

const keyOf = ({ domain }: DomainListEntry) => domain

export default function BulkDialog({ action, domains, onClose }: Props) {
  // The domains at the time of the click, since a refresh of the list must not change the work in
  // progress.
  const [chosen] = useState(domains)
  const queries = useQueryClient()
  const { title, text } = texts.actions[action]
  const close = () => {
    void queries.invalidateQueries({ queryKey: domainsKey })
    onClose()
  }
  return (
    <Dialog open wide onClose={close} title={title(chosen.length)} description={text}>
      {action === 'renew' ? (
        <BulkRenewal domains={chosen} onClose={close} />
      ) : (
        <Change action={action} domains={chosen} onClose={close} />
      )}
    </Dialog>
  )
}

type ChangeProps = Props & { action: Exclude<BulkActionName, 'renew'> }

function Change({ action, domains, onClose }: ChangeProps) {
  const bulk = useBulk<string>()
  const [nameservers, setNameservers] = useState<readonly string[]>([])
  const { done, failed } = countResults(bulk.results)
  const start = (items: readonly DomainListEntry[], given = nameservers) => {
    setNameservers(given)
    const ask = confirmedOnce()
    void bulk.run(items, {
      keyOf,
      request: (domain) => ask(() => changeOne(action, domain, given)),
    })
  }
  if (bulk.results.size === 0)
    return (
      <Start
        asksNameservers={action === 'nameservers'}
        label={texts.actions[action].confirm}
        onClose={onClose}
        onStart={(given) => start(domains, given)}
      />
    )
  const retry = () => start(domains.filter(failedIn(bulk.results)))
  return (
    <>
      <BulkResults domains={domains} results={bulk.results} wordsOf={(words) => words} />
      <Progress done={done} failed={failed} all={domains.length} isRunning={bulk.isRunning} />
      <After {...bulk} failed={failed} onRetry={retry} onClose={onClose} />
    </>
  )
}

type StartProps = {
  asksNameservers: boolean
  label: string
  onClose: () => void
  onStart: (nameservers: readonly string[]) => void
}

function Start({ asksNameservers, label, onClose, onStart }: StartProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const nameservers = typed.split(/[\s,]+/).filter(Boolean)
    const isRight = nameservers.length >= 2 && nameservers.length <= 13
    if (asksNameservers && !isRight) setProblem(texts.nameserversProblem)
    else onStart(nameservers)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {asksNameservers && (
        <TextArea
          label={texts.nameservers}
          hint={texts.nameserversHint}
          placeholder={'ns1.example.net\nns2.example.net'}
          problem={problem}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Buttons>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" look="primary">
          {label}
        </Button>
      </Buttons>
    </form>
  )
}
