// First steps of a new account: each leads to its page and is ticked off when it is done.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Icon } from '../../components/icon.tsx'
import { useApiKeys, useFirstGrants } from '../../lib/api-key-queries.ts'
import { useContacts } from '../../lib/contact-queries.ts'
import { isZero } from '../../lib/money/amounts.ts'
import { useBalances } from '../../lib/money/balance-queries.ts'
import { topUpRoute } from '../../lib/money/top-up-paths.ts'
import { routes } from '../../lib/routes.ts'
import { useIsSandbox, useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { homeTexts } from '../../messages/home-texts.ts'

const texts = homeTexts.start

type Step = { title: string; text: string; path: string; isDone: boolean }

function useSteps(): Step[] {
  const isSandbox = useIsSandbox()
  const balances = useBalances().data
  const contacts = useContacts().data
  const keys = useApiKeys().data
  const apps = useFirstGrants(true).data?.oauth_grants
  const isUsed = (one: { last_used_at: string | null }) => one.last_used_at !== null
  return [
    {
      title: texts.money,
      text: isSandbox ? texts.moneySandbox : texts.moneyText,
      path: isSandbox ? routes.balance : topUpRoute,
      isDone: balances?.some(({ total }) => !isZero(total)) ?? false,
    },
    {
      title: texts.contact,
      text: texts.contactText,
      path: routes.contacts,
      isDone: contacts !== undefined && contacts.length > 0,
    },
    {
      title: texts.agent,
      text: texts.agentText,
      path: routes.connect,
      isDone: (apps !== undefined && apps.length > 0) || (keys?.some(isUsed) ?? false),
    },
    { title: texts.buy, text: texts.buyText, path: routes.buy, isDone: false },
  ]
}

export function GetStarted() {
  const { base_url } = useServiceUrls()
  const steps = useSteps()
  const next = steps.find(({ isDone }) => !isDone)
  const curl = `curl ${base_url}/v1/domains \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"domain":"my-agent.com","max_price":"20.00"}'`
  return (
    <Card title={texts.title}>
      <div className="grid gap-x-8 gap-y-4 px-5 py-4 lg:grid-cols-2">
        <div>
          <p className="text-muted">{texts.text}</p>
          <ol className="mt-3 -ml-2 flex flex-col gap-1">
            {steps.map((step, at) => (
              <StepLink key={step.title} step={step} isNext={step === next}>
                {step.isDone ? <Icon name="check" /> : at + 1}
              </StepLink>
            ))}
          </ol>
        </div>
        <div className="min-w-0">
          <CodeBlock label={texts.curl} code={curl} />
        </div>
      </div>
    </Card>
  )
}

type LinkProps = { step: Step; isNext: boolean; children: ReactNode }

function StepLink({ step: { title, text, path, isDone }, isNext, children }: LinkProps) {
  const look = isDone
    ? 'bg-good-soft text-good'
    : isNext
      ? 'bg-accent text-on-accent'
      : 'bg-accent-soft text-accent-ink'
  return (
    <li aria-current={isNext ? 'step' : undefined}>
      <Link href={path} className="flex gap-3 rounded-lg p-2 hover:bg-sunken">
        <span
          aria-hidden="true"
          className={`grid size-6 shrink-0 place-items-center rounded-full text-sm font-semibold ${look}`}
        >
          {children}
        </span>
        <span>
          <span className={`block font-medium ${isDone ? 'text-muted line-through' : ''}`}>
            {title}
          </span>
          {isDone && <span className="sr-only">({texts.done})</span>}
          <span className="block text-sm text-muted">{text}</span>
        </span>
      </Link>
    </li>
  )
}
