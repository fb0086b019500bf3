// Obstacles of a paid request. The user can remove two of them here, a missing registrant and too
// little money; the others show their cause and the next step.
import { Link } from 'wouter'
import { useAccount } from '../../lib/account.ts'
import { ApiError } from '../../lib/api.ts'
import { allDefaults, useCreateContact } from '../../lib/contact-queries.ts'
import type { Currency } from '../../lib/money/balance-queries.ts'
import { fundsOf } from '../../lib/money/paid-request.ts'
import { domainPath } from '../../lib/routes.ts'
import { paymentTexts } from '../../messages/payment-texts.ts'
import { buttonClass } from '../button.tsx'
import { Callout } from '../callout.tsx'
import { ContactForm } from '../forms/contact-form.tsx'
import { ErrorNotice } from '../notice.tsx'
import { MissingFunds } from './missing-funds.tsx'

const texts = paymentTexts.missing

type Props = {
  error: Error
  currency: Currency
  /** The domain of a purchase. */
  domain?: string | undefined
  /** Whether the order itself failed, as opposed to the read of its price. */
  isOrder?: boolean
  onSolved: () => void
}

export function Obstacle({ error, currency, domain, isOrder = false, onSolved }: Props) {
  const code = error instanceof ApiError ? error.failure.code : ''
  const amounts = fundsOf(error)
  if (amounts !== null) return <MissingFunds {...{ amounts, currency, onSolved }} />
  if (code === 'domain_already_held' && domain !== undefined)
    return (
      <>
        <ErrorNotice error={error} />
        <Link href={domainPath(domain)} className={`${buttonClass()} self-end`}>
          {paymentTexts.manage}
        </Link>
      </>
    )
  if (code === 'registrant_required') return <MissingRegistrant onSolved={onSolved} />
  if (isOrder && code === 'unreachable') return <Unanswered />
  return <ErrorNotice error={error} onRetry={onSolved} />
}

/** The order was sent and no answer came, so it may have been carried out. */
function Unanswered() {
  return (
    <div role="alert">
      <Callout tone="warn" title={paymentTexts.unanswered}>
        <p>{paymentTexts.unansweredText}</p>
      </Callout>
    </div>
  )
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
        also={allDefaults}
        submit={texts.registrantSubmit}
        busy={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields, { onSuccess: onSolved })}
      />
    </section>
  )
}
