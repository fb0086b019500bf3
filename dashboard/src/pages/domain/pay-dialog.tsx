// Dialog for a renewal or a restore: a dry run reads its price, then the same request is sent with
// that price as its maximum, the expiry that was read, and an idempotency key.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DomainStatusResponse, renewDomain, restoreDomain } from 'sdk'
import { Select } from '../../components/forms/select.tsx'
import { PayFrom } from '../../components/payment/pay-from.tsx'
import { PaymentSteps, QuotedPrice } from '../../components/payment/payment-steps.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { storeDomain } from '../../lib/domains/domain-queries.ts'
import { formatDay } from '../../lib/format.ts'
import { type Currency, useCurrency } from '../../lib/money/balance-queries.ts'
import { usePaidRequest } from '../../lib/money/paid-request.ts'
import { showToast } from '../../lib/toasts.ts'
import { bulkTexts } from '../../messages/bulk-texts.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const texts = domainPageTexts.pay

type Kind = 'renew' | 'restore'
type Props = { domain: DomainStatusResponse; kind: Kind; onClose: () => void }
type Terms = {
  period_years: number
  currency: Currency
  max_price?: string
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
  const [chosen, setChosen] = useState<Currency | null>(null)
  const currency = useCurrency(chosen)
  const isRenewal = kind === 'renew'
  const title = isRenewal ? texts.renewTitle : texts.restoreTitle
  const day = domain.expiry === null ? '' : formatDay(domain.expiry)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title(domain.domain_unicode)}
      description={isRenewal ? texts.renewText(day) : texts.restoreText}
    >
      {isRenewal && (
        <div className="flex items-center justify-between gap-3">
          <span aria-hidden="true" className="text-muted">
            {texts.years}
          </span>
          <Select label={texts.years} value={years} options={yearOptions} onChange={setYears} />
        </div>
      )}
      <PayFrom currency={currency} onChange={setChosen} />
      {currency === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <Payment
          // Other terms make another request.
          key={`${years} ${currency}`}
          {...props}
          terms={{ period_years: Number(years), currency }}
        />
      )}
    </Dialog>
  )
}

function Payment({ terms, ...props }: Props & { terms: Terms }) {
  const { domain, kind, onClose } = props
  const queries = useQueryClient()
  const paid = usePaidRequest({
    terms: [kind, domain.domain, domain.expiry, terms],
    dryRun: () => request(props, { ...terms, dry_run: true }),
    order: ({ price, idempotency_key }) =>
      request(props, { ...terms, max_price: price.amount }, idempotency_key),
  })
  return (
    <PaymentSteps
      paid={paid}
      currency={terms.currency}
      facts={({ price }) => <QuotedPrice price={price} label={texts.price} />}
      submit={kind === 'renew' ? texts.renewFor : texts.restoreFor}
      onClose={onClose}
      onPaid={(answer) => {
        showToast(resultOf(kind, answer))
        onClose()
        void storeDomain(queries, answer)
      }}
    />
  )
}

function resultOf(kind: Kind, { domain_unicode, operation, expiry }: DomainStatusResponse) {
  if (operation?.state !== 'succeeded' || expiry === null)
    return { title: texts.ordered(domain_unicode), description: texts.orderedText }
  return kind === 'renew'
    ? { title: texts.renewed(domain_unicode, formatDay(expiry)) }
    : { title: texts.restored(domain_unicode) }
}
