// Parked payments in cryptocurrencies: each is credited by an amount that the operator decides, or
// dismissed.
import type { ParkedPayment } from 'sdk'
import { creditParkedPayment, dismissParkedPayment, listParkedPayments } from 'sdk-of-operators'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CustomerLink } from '../../components/operator/customer-link.tsx'
import type { Asked } from '../../components/operator/decision-dialog.tsx'
import { WorkCard, WorkTab } from '../../components/operator/work-list.tsx'
import { Money } from '../../components/payment/money.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { centsOf } from '../../lib/money/amounts.ts'
import { paymentsTexts, cryptoTexts as texts } from '../../messages/operator/payment-work-texts.ts'

export function CryptoPayments() {
  return (
    <WorkTab
      {...texts}
      queryKey="parked-payments"
      read={async (query) => {
        const { payments, next_cursor } = await answerOf(listParkedPayments({ query }))
        return { items: payments, next_cursor }
      }}
      keyOf={({ id }) => id}
    >
      {(payment, onAsk) => <PaymentCard payment={payment} onAsk={onAsk} />}
    </WorkTab>
  )
}

const shownAmount = ({ amount, asset }: ParkedPayment) => `${amount ?? '?'} ${asset}`

type Props = { payment: ParkedPayment; onAsk: (asked: Asked) => void }

function PaymentCard({ payment, onAsk }: Props) {
  const { reason, network, currency, credited_amount, transaction_id } = payment
  return (
    <WorkCard
      title={shownAmount(payment)}
      badges={
        <>
          <Badge>{network}</Badge>
          {reason && <Badge tone="warn">{reason}</Badge>}
        </>
      }
      actions={
        <>
          <Button size="sm" look="primary" onClick={() => onAsk(creditOf(payment))}>
            {texts.credit}
          </Button>
          <Button size="sm" onClick={() => onAsk(dismissalOf(payment))}>
            {paymentsTexts.dismiss}
          </Button>
        </>
      }
      facts={[
        [texts.credited, <Money key="credited" amount={credited_amount} currency={currency} />],
        [texts.came, formatMoment(payment.at)],
        [texts.state, payment.state],
        [paymentsTexts.customer, <CustomerLink key="customer" id={payment.customer_id} />],
        [texts.checkout, payment.checkout_id],
        [texts.transaction, transaction_id],
      ]}
    />
  )
}

const why = { label: paymentsTexts.reason, hint: paymentsTexts.reasonHint, name: 'reason' }

function creditOf(payment: ParkedPayment): Asked {
  const path = { payment_id: payment.id }
  return {
    title: texts.creditOf(shownAmount(payment)),
    text: texts.creditText,
    action: texts.credit,
    done: texts.creditDone,
    force: null,
    reason: why,
    amount: {
      label: texts.amount,
      hint: paymentsTexts.amountHint(payment.currency),
      name: 'amount_cents',
    },
    run: ({ reason, amount }) =>
      answerOf(
        creditParkedPayment({
          path,
          body: { amount_cents: centsOf(amount) ?? Number.NaN, reason },
        }),
      ),
  }
}

function dismissalOf(payment: ParkedPayment): Asked {
  const path = { payment_id: payment.id }
  return {
    title: texts.dismissOf(shownAmount(payment)),
    text: texts.dismissText,
    action: paymentsTexts.dismiss,
    done: texts.dismissDone,
    force: null,
    reason: why,
    isDanger: true,
    run: ({ reason }) => answerOf(dismissParkedPayment({ path, body: { reason } })),
  }
}
