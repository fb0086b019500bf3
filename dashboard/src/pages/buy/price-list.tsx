// Price list: shown before the first search, with the same search as a curl command.
import type { TldPrice } from 'sdk'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Money } from '../../components/money.tsx'
import { buyTexts } from '../../messages/buy.ts'
import { orderedTlds } from './candidate-names.ts'

const texts = buyTexts.prices

export function PriceList({ prices }: { prices: readonly TldPrice[] }) {
  const order = orderedTlds(prices.map(({ tld }) => tld))
  const rows = order.flatMap((wanted) => prices.find(({ tld }) => tld === wanted) ?? [])
  const curl = `curl ${location.origin}/v1/domains/check \\
  -H "Content-Type: application/json" \\
  -d '{"domains":["my-agent.com","my-agent.dev"]}'`
  const { title, text } = buyTexts.nothing
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[3fr_2fr]">
      <Card title={texts.title}>
        <p className="px-5 pt-3 text-muted">{texts.text}</p>
        <table className="my-2 w-full border-collapse">
          <thead>
            <tr className="text-right text-xs text-muted">
              <th scope="col" className="h-9 px-5 text-left font-medium">
                {texts.tld}
              </th>
              <th scope="col" className="px-2 font-medium">
                {texts.register}
              </th>
              <th scope="col" className="px-2 pr-5 font-medium">
                {texts.renew}
              </th>
              <th scope="col" className="pr-5 font-medium max-sm:hidden">
                {texts.transfer}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ tld, register, renew, transfer, currency }) => (
              <tr key={tld} className="text-right">
                <th scope="row" className="h-9 px-5 text-left font-medium">
                  .{tld}
                </th>
                <td className="px-2">
                  <KnownPrice amount={register} currency={currency} />
                </td>
                <td className="px-2 pr-5 text-muted">
                  <KnownPrice amount={renew} currency={currency} />
                </td>
                <td className="pr-5 text-muted max-sm:hidden">
                  <KnownPrice amount={transfer} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card className="max-lg:order-first">
        <EmptyState icon="search" title={title} text={text} curl={curl} />
      </Card>
    </div>
  )
}

function KnownPrice({ amount, currency }: { amount: string | null; currency: string }) {
  return amount === null ? (
    <span className="text-muted">{texts.unknown}</span>
  ) : (
    <Money amount={amount} currency={currency} />
  )
}
