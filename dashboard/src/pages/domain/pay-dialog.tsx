// A renewal or a restore: its price first, by a dry run; then the same request with that price as
// the most to pay, the expiry that was read, and an idempotency key.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type DomainStatusResponse, renewDomain, restoreDomain } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Money } from '../../components/money.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { showToast } from '../../components/toasts.ts'
import { answerOf } from '../../lib/api.ts'
import { storeDomain } from '../../lib/domain-queries.ts'
import { formatDay, formatMoney } from '../../lib/format.ts'
import { bulkTexts } from '../../messages/bulk.ts'
import { common } from '../../messages/common.ts'
import { domainPageTexts } from '../../messages/domain.ts'

const texts = domainPageTexts.pay

type Kind = 'renew' | 'restore'
type Props = { domain: DomainStatusResponse; kind: Kind; onClose: () => void }
type Terms = {
  period_years: number
  max_price?: string
  currency?: 'USD' | 'EUR'
  dry_run?: boolean
}

function request({ domain, kind }: Props, { period_years, ...terms }: Terms, key?: string) {
  const path = { domain: domain.domain }
  const given = { path, ...(key && { headers: { 'Idempotency-Key': key } }) }
  if (kind === 'restore') return answerOf(restoreDomain({ ...given, body: terms }))
  const expected = domain.expiry === null ? {} : { expected_expiry: domain.expiry }
  return answerOf(renewDomain({ ...given, body: { period_years, ...expected, ...terms } }))
}

const yearOptions = Array.from({ length: 10 }, (_, at) => ({
  value: String(at + 1),
  label: bulkTexts.yearsOf(at + 1),
}))

export default function PayDialog(props: Props) {
  const { domain, kind, onClose } = props
  const [years, setYears] = useState('1')
  const period_years = Number(years)
  const quote = useQuery({
    queryKey: ['quote', kind, domain.domain, domain.expiry, years],
    queryFn: async () => (await request(props, { period_years, dry_run: true })).price ?? null,
    retry: false,
  })
  const payment = usePayment(props, period_years)
  const isRenewal = kind === 'renew'
  const title = isRenewal ? texts.renewTitle : texts.restoreTitle
  const day = domain.expiry === null ? '' : formatDay(domain.expiry)
  const price = quote.data
  return (
    <Dialog
      open
      onClose={onClose}
      title={title(domain.domain_unicode)}
      description={isRenewal ? texts.renewText(day) : texts.restoreText}
    >
      {isRenewal && (
        <div className="flex items-center justify-between gap-3">
          <span aria-hidden="true" className="font-medium">
            {texts.years}
          </span>
          <Select label={texts.years} value={years} options={yearOptions} onChange={setYears} />
        </div>
      )}
      {quote.isPending && <Skeleton lines={1} />}
      {price && (
        <p className="flex items-baseline justify-between gap-3 text-lg font-semibold">
          <span>{texts.price}</span>
          <Money amount={price.amount} currency={price.currency} />
        </p>
      )}
      {quote.isError && <ErrorNotice error={quote.error} onRetry={() => void quote.refetch()} />}
      {payment.isError && <ErrorNotice error={payment.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        {price && (
          <Button look="primary" busy={payment.isPending} onClick={() => payment.mutate(price)}>
            {(isRenewal ? texts.renewFor : texts.restoreFor)(
              formatMoney(price.amount, price.currency),
            )}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** One key for each number of years: a second click after a lost answer is never paid twice. */
function usePayment(props: Props, period_years: number) {
  const { domain, onClose } = props
  const queries = useQueryClient()
  const keys = useRef(new Map<number, string>())
  return useMutation({
    mutationFn: ({ amount, currency }: { amount: string; currency: 'USD' | 'EUR' }) => {
      const key = keys.current.get(period_years) ?? crypto.randomUUID()
      keys.current.set(period_years, key)
      return request(props, { period_years, max_price: amount, currency }, key)
    },
    onSuccess: async (answer) => {
      showToast(resultOf(props.kind, answer))
      onClose()
      await storeDomain(queries, answer)
    },
    onError: () => queries.invalidateQueries({ queryKey: ['domain', domain.domain] }),
  })
}

function resultOf(kind: Kind, { domain_unicode, operation, expiry }: DomainStatusResponse) {
  if (operation?.state !== 'succeeded' || expiry === null)
    return { title: texts.ordered(domain_unicode), description: texts.orderedText }
  return kind === 'renew'
    ? { title: texts.renewed(domain_unicode, formatDay(expiry)) }
    : { title: texts.restored(domain_unicode) }
}
