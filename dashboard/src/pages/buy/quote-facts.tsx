// Facts of a quote: price, renewal and name servers that the order will use.
import type { ReactNode } from 'react'
import { Money } from '../../components/payment/money.tsx'
import { useBalance } from '../../lib/money/balance-queries.ts'
import type { Quote } from '../../lib/money/paid-request.ts'
import { buyTexts } from '../../messages/buy-texts.ts'
import { paymentTexts } from '../../messages/payment-texts.ts'

const texts = buyTexts.checkout

export function QuoteFacts({ quote }: { quote: Quote }) {
  const { price, holding } = quote
  const { currency } = price
  const balance = useBalance(currency)
  return (
    <>
      {price.premium && (
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-warn">{paymentTexts.premium}</p>
      )}
      <dl className="divide-y divide-line rounded-lg border border-line">
        {holding.domain !== holding.domain_unicode && (
          <Fact label={texts.aLabel}>
            <code className="font-mono text-sm break-all">{holding.domain}</code>
          </Fact>
        )}
        <Fact label={texts.price}>
          <span className="text-lg font-semibold">
            <Money amount={price.amount} currency={currency} />
          </span>
        </Fact>
        <Fact label={texts.renewal}>
          <Money amount={price.renewal_amount} currency={currency} />
        </Fact>
        <Fact label={texts.nameservers}>
          {holding.nameservers.map((host) => (
            <span key={host} className="block break-words">
              {host}
            </span>
          ))}
        </Fact>
        <Fact label={texts.balance}>
          {balance.data && <Money amount={balance.data.available} currency={currency} />}
        </Fact>
      </dl>
      <p className="text-sm text-muted">{texts.settings}</p>
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 px-4 py-2">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="ml-auto max-w-full min-w-0 text-right">{children}</dd>
    </div>
  )
}
