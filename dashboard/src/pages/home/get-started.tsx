// First steps of a new account: from an empty balance, over the registrant, to the first domain.
import { Link } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { routes } from '../../lib/routes.ts'
import { useIsSandbox, useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { homeTexts } from '../../messages/home.ts'

const texts = homeTexts.start

export function GetStarted() {
  const { base_url } = useServiceUrls()
  const moneyText = useIsSandbox() ? texts.moneySandbox : texts.moneyText
  const steps = [
    { title: texts.money, text: moneyText },
    { title: texts.contact, text: texts.contactText },
    { title: texts.search, text: texts.searchText },
    { title: texts.buy, text: texts.buyText },
  ]
  const curl = `curl ${base_url}/v1/domains \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"domain":"my-agent.com","max_price":"20.00"}'`
  return (
    <Card title={texts.title}>
      <div className="grid gap-x-8 gap-y-4 px-5 py-4 lg:grid-cols-2">
        <div>
          <p className="text-muted">{texts.text}</p>
          <ol className="mt-3 flex flex-col gap-3">
            {steps.map(({ title, text }, at) => (
              <li key={title} className="flex gap-3">
                <span
                  aria-hidden="true"
                  className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-ink"
                >
                  {at + 1}
                </span>
                <div>
                  <p className="font-medium">{title}</p>
                  <p className="text-muted">{text}</p>
                </div>
              </li>
            ))}
          </ol>
          <div className="mt-4 flex flex-wrap gap-2">
            <Link href={routes.balance} className={buttonClass('primary')}>
              {texts.money}
            </Link>
            <Link href={routes.contacts} className={buttonClass()}>
              {texts.contact}
            </Link>
            <Link href={routes.buy} className={buttonClass()}>
              {texts.search}
            </Link>
          </div>
        </div>
        <div className="min-w-0 self-center">
          <CodeBlock code={curl} label="curl" />
        </div>
      </div>
    </Card>
  )
}
