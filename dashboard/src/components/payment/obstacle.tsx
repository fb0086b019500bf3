// Obstacles of a paid request. Two are removed on the spot: no registrant yet, and too little
// money; others show cause and next step.

import { useAccount } from '../../lib/account.ts'
import { ApiError } from '../../lib/api.ts'
import { useCreateContact } from '../../lib/contact-queries.ts'
import { formatMoney } from '../../lib/format.ts'
import type { Currency } from '../../lib/money/balance-queries.ts'
import { useIsSandbox } from '../../lib/sign-in/service-facts.ts'
import { paymentTexts } from '../../messages/payment.ts'
import { ContactForm } from '../forms/contact-form.tsx'
import { ErrorNotice } from '../notice.tsx'
import { TopUpForm } from './top-up-form.tsx'

const texts = paymentTexts.missing

type Props = { error: Error; currency: Currency; onSolved: () => void }

export function Obstacle({ error, currency, onSolved }: Props) {
  const code = error instanceof ApiError ? error.failure.code : ''
  if (error instanceof ApiError && code === 'insufficient_funds')
    return <MissingFunds error={error} currency={currency} onSolved={onSolved} />
  if (code === 'registrant_required') return <MissingRegistrant onSolved={onSolved} />
  return <ErrorNotice error={error} onRetry={onSolved} />
}

function MissingRegistrant({ onSolved }: { onSolved: () => void }) {
  const { name, email, company_name } = useAccount()
  const { mutate, isPending, error } = useCreateContact()
  return (
    <section aria-labelledby="registrant" className="flex flex-col gap-3">
      <h3 id="registrant" className="font-semibold">
        {texts.registrant}
      </h3>
      <p className="text-muted">{texts.registrantText}</p>
      <ContactForm
        initial={{ name, email, company_name }}
        also={{ default_registrant: true }}
        submit={texts.registrantSubmit}
        busy={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields, { onSuccess: onSolved })}
      />
    </section>
  )
}

type FundsProps = Props & { error: ApiError }

function MissingFunds({ error, currency, onSolved }: FundsProps) {
  const isSandbox = useIsSandbox()
  const facts = fundsOf(error)
  if (!isSandbox || facts === null) return <ErrorNotice error={error} onRetry={onSolved} />
  const [price, balance, shortfall] = facts.map((one) => formatMoney(one, currency))
  return (
    <section aria-labelledby="funds" className="flex flex-col gap-3">
      <div role="alert" className="rounded-lg bg-warn-soft px-4 py-3">
        <h3 id="funds" className="font-semibold text-warn">
          {texts.funds}
        </h3>
        <p>{texts.fundsText(price ?? '', balance ?? '', shortfall ?? '')}</p>
      </div>
      <TopUpForm currency={currency} onDone={onSolved} />
    </section>
  )
}

/** Price, balance and shortfall of a 402. */
function fundsOf({ failure }: ApiError): readonly string[] | null {
  const { price, balance, shortfall } = failure.facts
  const amount = typeof price === 'object' && price !== null && 'amount' in price && price.amount
  const all = [amount, balance, shortfall]
  const amounts = all.filter((one) => typeof one === 'string')
  return amounts.length === all.length ? amounts : null
}
