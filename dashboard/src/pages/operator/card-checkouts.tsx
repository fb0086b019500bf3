// Parked checkouts by card: each is credited by the amount that the processor shows, or dismissed.
import type { ParkedCardCheckout } from 'sdk'
import {
  creditProcessorTopUp,
  dismissParkedCardCheckout,
  listParkedCardCheckouts,
} from 'sdk-of-operators'
import { Button } from '../../components/button.tsx'
import { CustomerLink } from '../../components/operator/customer-link.tsx'
import type { Asked } from '../../components/operator/decision-dialog.tsx'
import { WorkCard, WorkTab } from '../../components/operator/work-list.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoment, formatMoney } from '../../lib/format.ts'
import { amountOfCents, centsOf } from '../../lib/money/amounts.ts'
import {
  paymentsTexts,
  cardCheckoutTexts as texts,
} from '../../messages/operator/payment-work-texts.ts'

export function CardCheckouts() {
  return (
    <WorkTab
      {...texts}
      queryKey="parked-card-checkouts"
      read={async (query) => {
        const { checkouts, next_cursor } = await answerOf(listParkedCardCheckouts({ query }))
        return { items: checkouts, next_cursor }
      }}
      keyOf={({ id }) => id}
    >
      {(checkout, onAsk) => <CheckoutCard checkout={checkout} onAsk={onAsk} />}
    </WorkTab>
  )
}

const askedAmount = ({ amount_cents, currency }: ParkedCardCheckout) =>
  formatMoney(amountOfCents(amount_cents), currency)

type Props = { checkout: ParkedCardCheckout; onAsk: (asked: Asked) => void }

function CheckoutCard({ checkout, onAsk }: Props) {
  const { id, customer_id, session_id, reason, created_at } = checkout
  return (
    <WorkCard
      title={askedAmount(checkout)}
      problem={reason}
      actions={
        <>
          {session_id !== null && (
            <Button
              size="sm"
              look="primary"
              onClick={() => onAsk(creditOf({ ...checkout, session_id }))}
            >
              {texts.credit}
            </Button>
          )}
          <Button size="sm" onClick={() => onAsk(dismissalOf(checkout))}>
            {paymentsTexts.dismiss}
          </Button>
        </>
      }
      facts={[
        [paymentsTexts.customer, <CustomerLink key="customer" id={customer_id} />],
        [texts.created, formatMoment(created_at)],
        [texts.checkout, id],
        [texts.session, session_id ?? texts.none],
      ]}
    />
  )
}

function creditOf(checkout: ParkedCardCheckout & { session_id: string }): Asked {
  const { customer_id, currency, session_id } = checkout
  return {
    title: texts.creditOf(askedAmount(checkout)),
    text: texts.creditText,
    action: texts.credit,
    done: texts.creditDone,
    force: null,
    reason: null,
    amount: {
      label: texts.amount,
      hint: paymentsTexts.amountHint(currency),
      name: 'amount_cents',
    },
    run: ({ amount }) => {
      const amount_cents = centsOf(amount) ?? Number.NaN
      const body = {
        customer_id,
        currency,
        amount_cents,
        processor_checkout_session_id: session_id,
      }
      return answerOf(creditProcessorTopUp({ body }))
    },
  }
}

function dismissalOf(checkout: ParkedCardCheckout): Asked {
  const path = { checkout_id: checkout.id }
  return {
    title: texts.dismissOf(askedAmount(checkout)),
    text: texts.dismissText,
    action: paymentsTexts.dismiss,
    done: texts.dismissDone,
    force: null,
    reason: { label: paymentsTexts.reason, hint: paymentsTexts.reasonHint, name: 'reason' },
    isDanger: true,
    run: ({ reason }) => answerOf(dismissParkedCardCheckout({ path, body: { reason } })),
  }
}
