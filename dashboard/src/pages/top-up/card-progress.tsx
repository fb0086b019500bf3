// Progress of a card payment. The processor's page leads back here.
import { useEffect, useEffectEvent } from 'react'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatMoney } from '../../lib/format.ts'
import { amountOfCents } from '../../lib/money/amounts.ts'
import { useMoneyMoved } from '../../lib/money/balance-queries.ts'
import { useCardTopUp } from '../../lib/money/top-up-queries.ts'
import { topUpTexts } from '../../messages/money/top-up-texts.ts'
import { Again, Credited } from './ended.tsx'

const texts = topUpTexts.card

export function CardProgress({ id }: { id: string }) {
  const { data, isPending, isError, error, refetch } = useCardTopUp(id)
  const moneyMoved = useMoneyMoved()
  const status = data?.status
  const onCredit = useEffectEvent(() => void moneyMoved())
  useEffect(() => {
    if (status === 'paid') onCredit()
  }, [status])
  const amount = data && formatMoney(amountOfCents(data.amount_cents), data.currency)
  return (
    <>
      <PageHeader title={amount ? topUpTexts.pay.title(amount) : topUpTexts.title} />
      {isPending && <Skeleton lines={6} />}
      {isError && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <div role="status" className="flex flex-col gap-4">
        {data?.status === 'opening' && <Callout title={texts.opening} />}
        {(data?.status === 'processing' || data?.status === 'parked') && (
          <Callout title={texts[data.status]}>
            <p>{texts[`${data.status}Text`]}</p>
          </Callout>
        )}
        {data?.status === 'open' && (
          <Callout title={texts.waiting}>
            <p>{texts.waitingText}</p>
            {data.url !== null && (
              <p className="mt-3">
                <a href={data.url} className={buttonClass('primary')}>
                  {texts.pay}
                </a>
                <span className="ml-3 text-sm text-muted">{texts.cancelled}</span>
              </p>
            )}
          </Callout>
        )}
        {data?.status === 'paid' && amount !== undefined && <Credited amount={amount} />}
        {(data?.status === 'expired' || data?.status === 'failed') && (
          <Callout tone="warn" title={topUpTexts.ends.failed}>
            <Badge tone="neutral">{topUpTexts.statuses[data.status]}</Badge>
            <Again currency={data.currency} />
          </Callout>
        )}
      </div>
    </>
  )
}
