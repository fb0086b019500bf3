// Obstacles of a purchase that are removed on the spot: no registrant yet, and too little money.
import { ContactForm } from '../../components/forms/contact-form.tsx'
import { TopUpForm } from '../../components/forms/top-up-form.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useAccount } from '../../lib/account.ts'
import type { ApiError } from '../../lib/api.ts'
import type { Currency } from '../../lib/balance-queries.ts'
import { useCreateContact } from '../../lib/contact-queries.ts'
import { formatMoney } from '../../lib/format.ts'
import { useIsSandbox } from '../../lib/service-config.ts'
import { buyTexts } from '../../messages/buy.ts'

const texts = buyTexts.checkout.missing

export function MissingRegistrant({ onSolved }: { onSolved: () => void }) {
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

type FundsProps = { error: ApiError; currency: Currency; onSolved: () => void }

export function MissingFunds({ error, currency, onSolved }: FundsProps) {
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
