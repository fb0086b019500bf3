// Refunds and disputes by card that do not fit their payment: the operator adjusts the balance, and
// dismisses the remainder.
import type { ParkedCardReversal } from 'sdk'
import { adjustBalance, dismissParkedCardReversal, listParkedCardReversals } from 'sdk-of-operators'
import { Button } from '../../components/button.tsx'
import { CustomerLink } from '../../components/operator/customer-link.tsx'
import type { Asked } from '../../components/operator/decision-dialog.tsx'
import { WorkCard, WorkTab } from '../../components/operator/work-list.tsx'
import { Money } from '../../components/payment/money.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { centsOf } from '../../lib/money/amounts.ts'
import {
  paymentsTexts,
  cardReversalTexts as texts,
} from '../../messages/operator/payment-work-texts.ts'

export function CardReversals() {
  return (
    <WorkTab
      {...texts}
      queryKey="parked-card-reversals"
      read={async (query) => {
        const { reversals, next_cursor } = await answerOf(listParkedCardReversals({ query }))
        return { items: reversals, next_cursor }
      }}
      keyOf={({ payment_id }) => payment_id}
    >
      {(reversal, onAsk) => <ReversalCard reversal={reversal} onAsk={onAsk} />}
    </WorkTab>
  )
}

/** The remaining amount. Below zero, money came back that the dismissed part had covered. */
function restOf({ parked_amount, currency }: ParkedCardReversal) {
  const isBack = parked_amount.startsWith('-')
  const size = parked_amount.replace('-', '')
  return { isBack, cents: centsOf(size) ?? Number.NaN, shown: formatMoney(size, currency) }
}

type Props = { reversal: ParkedCardReversal; onAsk: (asked: Asked) => void }

function ReversalCard({ reversal, onAsk }: Props) {
  const { payment_id, customer_id, amount, currency } = reversal
  const { isBack, shown } = restOf(reversal)
  return (
    <WorkCard
      title={shown}
      problem={isBack ? texts.cameBack : texts.rest}
      actions={
        <>
          <Button size="sm" look="primary" onClick={() => onAsk(adjustmentOf(reversal))}>
            {texts.adjust}
          </Button>
          <Button size="sm" onClick={() => onAsk(dismissalOf(reversal))}>
            {paymentsTexts.dismiss}
          </Button>
        </>
      }
      facts={[
        [paymentsTexts.customer, <CustomerLink key="customer" id={customer_id} />],
        [texts.paid, <Money key="paid" amount={amount} currency={currency} />],
        [texts.payment, payment_id],
      ]}
    />
  )
}

function adjustmentOf(reversal: ParkedCardReversal): Asked {
  const { customer_id, currency } = reversal
  const { isBack, shown } = restOf(reversal)
  // The id belongs to this dialog, so that a request that is sent twice is posted once.
  const adjustment_id = `reversal-${crypto.randomUUID()}`
  return {
    title: isBack ? texts.giveOf(shown) : texts.takeOf(shown),
    text: isBack ? texts.giveText : texts.takeText,
    action: texts.adjust,
    done: texts.adjustDone,
    force: null,
    reason: { label: paymentsTexts.reason, hint: texts.adjustHint, name: 'reason' },
    amount: {
      label: isBack ? texts.toGive : texts.toTake,
      hint: paymentsTexts.amountHint(currency),
      name: 'amount_cents',
    },
    run: ({ reason, amount }) => {
      const cents = centsOf(amount) ?? Number.NaN
      const amount_cents = isBack ? cents : -cents
      const body = { customer_id, currency, amount_cents, reason, adjustment_id }
      return answerOf(adjustBalance({ body }))
    },
  }
}

function dismissalOf(reversal: ParkedCardReversal): Asked {
  const { payment_id } = reversal
  const { isBack, cents, shown } = restOf(reversal)
  const amount_cents = isBack ? -cents : cents
  return {
    title: texts.dismissOf(shown),
    text: texts.dismissText,
    action: paymentsTexts.dismiss,
    done: texts.dismissDone,
    force: null,
    reason: { label: paymentsTexts.reason, hint: paymentsTexts.reasonHint, name: 'reason' },
    isDanger: true,
    run: ({ reason }) =>
      answerOf(dismissParkedCardReversal({ body: { payment_id, amount_cents, reason } })),
  }
}
