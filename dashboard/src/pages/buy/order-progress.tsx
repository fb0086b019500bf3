// Order in progress: a missing answer of a registry is not a failure, so the operation is polled
// until it has ended, and meanwhile the page says where the money is.
import { type ComponentProps, useEffect, useEffectEvent } from 'react'
import type { DomainStatusResponse, OperationResponse } from 'sdk'
import { Link } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Switch } from '../../components/forms/switch.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useDomains, useLockSwitch, useRenewalSwitch } from '../../lib/domains/domain-queries.ts'
import { formatDay, formatMoney } from '../../lib/format.ts'
import { useMoneyMoved } from '../../lib/money/balance-queries.ts'
import { useOrder } from '../../lib/money/buy-queries.ts'
import type { Quote } from '../../lib/money/paid-request.ts'
import { domainPath } from '../../lib/routes.ts'
import { sentenceOf } from '../../lib/words/failure-words.ts'
import { buyTexts } from '../../messages/buy-texts.ts'

const texts = buyTexts.order

type Props = { holding: DomainStatusResponse; quote: Quote; onClose: () => void }

export function OrderProgress({ holding, quote, onClose }: Props) {
  const { operation, domain, domain_unicode: name } = holding
  if (operation === null || operation.state === 'succeeded')
    return <Bought {...{ domain, name, onClose }} />
  return <Waiting id={operation.id} {...{ domain, name, quote, onClose }} />
}

type Named = { domain: string; name: string; onClose: () => void }
type WaitingProps = Named & { id: string; quote: Quote }

function Waiting({ id, domain, name, quote, onClose }: WaitingProps) {
  const { data, error } = useOrder(id)
  const moneyMoved = useMoneyMoved()
  const closed_at = data?.closed_at ?? null
  const onEnd = useEffectEvent(() => void moneyMoved())
  useEffect(() => {
    if (closed_at !== null) onEnd()
  }, [closed_at])
  if (data?.state === 'succeeded') return <Bought {...{ domain, name, onClose }} />
  if (data?.state === 'failed') return <NotBought operation={data} {...{ name, onClose }} />
  return (
    <div role="status" className="flex flex-col gap-4">
      <Badge tone="accent">{texts.waitingState}</Badge>
      <p className="text-lg font-semibold">{texts.waitingTitle}</p>
      <p>{texts.waiting(formatMoney(quote.price.amount, quote.price.currency))}</p>
      {data && <p className="text-sm text-muted">{texts.attempts(data.attempts)}</p>}
      {error && <ErrorNotice error={error} />}
      <OperationId id={id} />
      <div className="flex justify-end">
        <Button onClick={onClose}>{buyTexts.close}</Button>
      </div>
    </div>
  )
}

function OperationId({ id }: { id: string }) {
  return (
    <p className="text-xs break-all text-muted">
      {texts.operation} <code className="font-mono">{id}</code>
    </p>
  )
}

function Bought({ domain, name, onClose }: Named) {
  const held = useDomains().data?.find((one) => one.domain === domain)
  const renew = useRenewalSwitch()
  const lock = useLockSwitch()
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="flex items-start gap-3 rounded-lg bg-good-soft px-4 py-3">
        <Icon name="check" className="mt-1 size-4 text-good" />
        <div>
          <p className="font-semibold break-all text-good">{texts.doneTitle(name)}</p>
          {name !== domain && <code className="font-mono text-sm break-all">{domain}</code>}
          <p>{held?.expires_at && texts.done(formatDay(held.expires_at))}</p>
          <p>{texts.doneHint}</p>
        </div>
      </div>
      {held && (
        <>
          <Setting
            label={texts.autoRenew}
            checked={held.auto_renew}
            onChange={(auto_renew) => renew({ domain, auto_renew })}
          />
          <Setting
            label={texts.lock}
            checked={held.locked}
            onChange={(locked) => lock({ domain, locked })}
          />
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.another}</Button>
        <Link href={domainPath(domain)} className={buttonClass('primary')}>
          {texts.manage}
        </Link>
      </div>
    </div>
  )
}

function Setting(props: ComponentProps<typeof Switch>) {
  return (
    <div className="flex items-center justify-between gap-4">
      <span aria-hidden="true">{props.label}</span>
      <Switch {...props} />
    </div>
  )
}

type NotBoughtProps = { operation: OperationResponse; name: string; onClose: () => void }

function NotBought({ operation, name, onClose }: NotBoughtProps) {
  const { amount, currency, error, id } = operation
  return (
    <div className="flex flex-col gap-4">
      <div role="alert" className="rounded-lg bg-bad-soft px-4 py-3">
        <p className="font-semibold break-all text-bad">{texts.failedTitle(name)}</p>
        {error?.detail && <p>{sentenceOf(error.code, error.detail)}</p>}
        <p>{texts.failed(formatMoney(amount, currency))}</p>
      </div>
      <OperationId id={id} />
      <div className="flex justify-end">
        <Button onClick={onClose}>{texts.another}</Button>
      </div>
    </div>
  )
}
