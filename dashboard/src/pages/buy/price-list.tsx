// Price list: shown before the first search, with the same search as a curl command.
import type { TldPrice } from 'sdk'
import { Card } from '../../components/card.tsx'
import { DomainName } from '../../components/domain-name.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Money } from '../../components/payment/money.tsx'
import { FiguresTable } from '../../components/table/figures-table.tsx'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { buyTexts } from '../../messages/buy-texts.ts'
import { orderedTlds } from './candidate-names.ts'

const texts = buyTexts.prices

export function PriceList({ prices }: { prices: readonly TldPrice[] }) {
  const { base_url } = useServiceUrls()
  const order = orderedTlds(prices.map(({ tld }) => tld))
  const rows = order.flatMap((wanted) => prices.find(({ tld }) => tld === wanted) ?? [])
  const curl = `curl ${base_url}/v1/domains/check \\
  -H "Content-Type: application/json" \\
  -d '{"domains":["my-agent.com","my-agent.dev"]}'`
  const { title, text } = buyTexts.nothing
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[3fr_2fr]">
      <Card title={texts.title}>
        <p className="px-5 pt-3 text-muted">{texts.text}</p>
        <FiguresTable
          headers={[texts.tld, texts.register, texts.renew, texts.transfer]}
          rows={rows.map(rowOf)}
          height="h-9"
          inset="pl-5"
          onPhones={2}
        />
      </Card>
      <Card className="max-lg:order-first">
        <EmptyState icon="search" title={title} text={text} curl={curl} />
      </Card>
    </div>
  )
}

function rowOf({ tld, register, renew, transfer, currency }: TldPrice) {
  const amounts = { register, renew, transfer }
  const cells = Object.entries(amounts).map(([action, amount]) => (
    <KnownPrice key={action} amount={amount} currency={currency} />
  ))
  const header = (
    <span className="font-medium">
      <DomainName domain={`.${tld}`} />
    </span>
  )
  return { key: tld, header, cells }
}

function KnownPrice({ amount, currency }: { amount: string | null; currency: string }) {
  return amount === null ? (
    <span className="text-muted">{texts.unknown}</span>
  ) : (
    <Money amount={amount} currency={currency} />
  )
}
