// Changes of a domain that are undone by themselves unless the owner keeps them, with the remaining
// time, and changes that were due and yet stayed. The owner keeps them or undoes them.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { confirmDnsChange, type ListDnsRecordSetsResponse, updateDomain } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { answerOf } from '../../../lib/api.ts'
import { readAgain, sendUndo, setName, useRecords } from '../../../lib/dns/record-queries.ts'
import { storeDomain } from '../../../lib/domains/domain-queries.ts'
import { formatMoment } from '../../../lib/format.ts'
import { confirmed } from '../../../lib/sign-in/confirmed.ts'
import { showToast } from '../../../lib/toasts.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'
import { unconfirmedTexts as texts } from '../../../messages/dns/unconfirmed-texts.ts'
import { makerOf } from './maker.ts'

type Unconfirmed = ListDnsRecordSetsResponse['unconfirmed_changes'][number]
type Props = { domain: string; change: Unconfirmed }

export function UnconfirmedChanges({ domain }: { domain: string }) {
  const { data } = useRecords(domain)
  const changes = data?.unconfirmed_changes ?? []
  if (changes.length === 0) return null
  return (
    <section aria-label={texts.section} className="mb-5 grid gap-3">
      {changes.map((change) => (
        <OneChange key={change.id} domain={domain} change={change} />
      ))}
    </section>
  )
}

function OneChange({ domain, change }: Props) {
  const { state, kept_because, nameservers } = change
  const decide = useDecision({ domain, change })
  const title = texts.title(changed(change))
  return (
    <Callout tone="warn" title={title}>
      <p>{texts.by(makerOf(change))}</p>
      {state === 'kept' ? (
        kept_because && <p>{texts.kept(texts.reasons[kept_because])}</p>
      ) : (
        <TimeLeft domain={domain} change={change} />
      )}
      {nameservers && <p className="break-words">{texts.before(nameservers.before.join(', '))}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" disabled={decide.isPending} onClick={() => decide.mutate('keep')}>
          {texts.keep}
        </Button>
        <Button size="sm" disabled={decide.isPending} onClick={() => decide.mutate('back')}>
          {texts.back}
        </Button>
      </div>
      {decide.isError && (
        <div className="mt-2">
          <ErrorNotice error={decide.error} />
        </div>
      )}
    </Callout>
  )
}

const again_ms = 3_000

/**
 * The remaining time, which screen readers do not announce each second. Once it is over, the
 * records are read again.
 */
function TimeLeft({ domain, change: { reverts_at } }: Props) {
  const left_s = useCountdown(Date.parse(reverts_at), 0)
  const queries = useQueryClient()
  const isDue = left_s === 0
  useEffect(() => {
    if (!isDue) return
    const timer = setInterval(() => void readAgain(queries, domain), again_ms)
    return () => clearInterval(timer)
  }, [isDue, queries, domain])
  if (isDue) return <p>{texts.due}</p>
  return (
    <p>
      {texts.until(formatMoment(reverts_at))}{' '}
      <span role="timer" className="font-medium whitespace-nowrap tabular-nums">
        {texts.left(clock(left_s))}
      </span>
    </p>
  )
}

/** A time in the form "9:58" or "23:59:58". */
function clock(left_s: number): string {
  const hours = Math.floor(left_s / 3_600)
  const minutes = Math.floor((left_s % 3_600) / 60)
  const parts = hours > 0 ? [hours, minutes, left_s % 60] : [minutes, left_s % 60]
  return parts.map((part, at) => (at === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':')
}

type Decision = 'keep' | 'back'

function useDecision({ domain, change }: Props) {
  const queries = useQueryClient()
  const { id: change_id, nameservers } = change
  const keep = async () => {
    await answerOf(confirmDnsChange({ path: { domain, change_id } }))
    return 0
  }
  const takeBack = async () => {
    if (nameservers) {
      const body = { nameservers: nameservers.before }
      await storeDomain(queries, await answerOf(updateDomain({ path: { domain }, body })))
      return 0
    }
    return (await answerOf(sendUndo({ domain, change_id }, false))).conflicts.length
  }
  const decide = useMutation({
    /** It resolves with the number of sets that stay because they were changed since. */
    mutationFn: (how: Decision) => confirmed(how === 'keep' ? keep : takeBack),
    onSuccess: (stayed, how) =>
      showToast({
        title: texts.done[how],
        description: stayed > 0 ? recordTexts.done.kept(stayed) : undefined,
      }),
    // This also runs after a failure, since the change may have been decided elsewhere.
    onSettled: () => readAgain(queries, domain),
  })
  return decide
}

function changed({ sets, sets_total, nameservers }: Unconfirmed): string {
  if (nameservers) return texts.nameservers(nameservers.after.join(', '))
  const [first] = sets
  return texts.records(first ? setName(first) : '', sets_total - 1)
}
